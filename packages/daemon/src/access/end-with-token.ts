/** Streams and sockets end when the token they were opened with ends. */
import type { Socket, SocketListener } from "../http/sockets.ts";
import type { Principal } from "./principal.ts";

/** In the range for applications; 3000 is registered as "unauthorized". */
const unauthorizedCode = 3000;

/** Aborted when the client disconnects or its token ends. */
export function signalOf(request: Request, { ended }: Principal): AbortSignal {
  return ended ? AbortSignal.any([request.signal, ended]) : request.signal;
}

export function endingWith({ ended }: Principal, listener: SocketListener): SocketListener {
  if (!ended) return listener;
  let close: (() => void) | null = null;
  return {
    open(socket: Socket) {
      close = () => socket.close(unauthorizedCode, "the token has ended");
      ended.addEventListener("abort", close);
      listener.open(socket);
      if (ended.aborted) close();
    },
    message: (socket, message) => listener.message(socket, message),
    drain: (socket) => listener.drain(socket),
    close(socket) {
      if (close) ended.removeEventListener("abort", close);
      listener.close(socket);
    },
  };
}
