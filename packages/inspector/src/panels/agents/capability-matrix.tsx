/** A table of agents and their capabilities. */
import { Check } from "lucide-react";
import type { AgentInfo } from "sandbox-agent";
import styles from "./agents.module.css";

export function CapabilityMatrix({ agents }: { agents: readonly AgentInfo[] }) {
  const names = [...new Set(agents.flatMap(({ capabilities }) => Object.keys(capabilities)))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.matrix} tabIndex={0} aria-label="Capabilities of agents">
      <table>
        <thead>
          <tr>
            <th scope="col">Capability</th>
            {agents.map(({ id }) => (
              <th key={id} scope="col" className={styles.agent}>
                <span>{id}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{labelOf(name)}</th>
              {agents.map(({ id, capabilities }) => (
                <td key={id}>
                  <Mark has={Object.entries(capabilities).some(([key, has]) => key === name && has)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Mark({ has }: { has: boolean }) {
  return has ? <Check role="img" aria-label="yes" className={styles.yes} /> : <span className={styles.no}>–</span>;
}

/** `planMode` → "plan mode" */
function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
