/** Whether the daemon answered the last request. */
import { useSyncExternalStore } from "react";
import { requestLog } from "../panels/requests/request-log.ts";

export function useReachable(): boolean {
  return useSyncExternalStore(requestLog.subscribe, isReachable);
}

function isReachable(): boolean {
  const last = requestLog
    .exchanges()
    .findLast(({ status, failure }) => status !== null || (failure !== null && failure !== "cancelled"));
  return last === undefined || last.status !== null;
}
