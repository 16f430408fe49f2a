/** An action of a button: its error, whether it is running, and the query it invalidates. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

export interface Action {
  run(work: () => Promise<unknown>): void;
  busy: boolean;
  error: unknown;
}

export function useAction(invalidates: QueryKey): Action {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: invalidates }),
  });
  return { run: mutate, busy: isPending, error };
}
