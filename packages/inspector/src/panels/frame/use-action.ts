/** Something that is done on a click: its failure, whether it goes on, and what is out of date afterwards. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

export interface Action {
  run(work: () => Promise<unknown>): void;
  busy: boolean;
  error: unknown;
}

export function useAction(outdated: QueryKey): Action {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: outdated }),
  });
  return { run: mutate, busy: isPending, error };
}
