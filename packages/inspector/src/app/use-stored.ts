/** State in local storage. */
import { useState } from "react";

export function useStored(name: string, initial: string): [string, (value: string) => void] {
  const key = `sandbox-agent.${name}`;
  const [value, setValue] = useState(() => localStorage.getItem(key) ?? initial);
  return [
    value,
    (next) => {
      localStorage.setItem(key, next);
      setValue(next);
    },
  ];
}
