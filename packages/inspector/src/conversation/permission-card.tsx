/** A permission request with its buttons. */
import { ShieldQuestion } from "lucide-react";
import { useMemo, useState } from "react";
import type { PermissionReply } from "sandbox-agent";
import { useHasScope } from "../app/access.tsx";
import { failureText } from "../app/failure-text.ts";
import { useSession } from "../app/session-context.tsx";
import { useShortcuts } from "../app/shortcuts.ts";
import { Button, Card, Notice } from "../design/index.ts";
import { Answering } from "./answering.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Details } from "./details.tsx";
import { Diff } from "./diff.tsx";
import { Markdown } from "./markdown.tsx";
import styles from "./request.module.css";
import type { Permission } from "./rows.ts";
import { commandOf, inputSummary } from "./tool-input.ts";

export function PermissionCard({ permission, active }: { permission: Permission; active: boolean }) {
  const { session } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  const [sent, setSent] = useState<PermissionReply | null>(null);
  const { permission_id: id, action, metadata } = permission;

  const reply = useMemo(
    () => async (answer: PermissionReply) => {
      setSent(answer);
      setFailure(null);
      try {
        await session?.replyPermission(id, answer);
      } catch (error) {
        setSent(null);
        setFailure(error);
      }
    },
    [session, id],
  );
  const keys = useMemo(
    () => ({ y: () => void reply("once"), a: () => void reply("always"), n: () => void reply("reject") }),
    [reply],
  );
  useShortcuts(useHasScope("approve") && active && sent === null ? keys : noKeys);

  const command = commandOf(metadata);
  const plan = typeof metadata?.plan === "string" ? metadata.plan : null;
  const diff = typeof metadata?.diff === "string" ? metadata.diff : null;
  return (
    <Card className={styles.request} role="group" aria-label={`Permission: ${action}`}>
      <header>
        <ShieldQuestion aria-hidden />
        <strong>Permission</strong>
        <code>{action}</code>
      </header>
      {command !== null && <CodeBlock text={command} language="bash" maxHeight={220} />}
      {plan !== null && (
        <div className={styles.plan}>
          <Markdown text={plan} />
        </div>
      )}
      {command === null && plan === null && <p className={styles.summary}>{inputSummary(metadata)}</p>}
      {diff && <Diff path={inputSummary(metadata)} patch={diff} />}
      {metadata && <Details id={`permission ${id}`} title="Details" value={metadata} />}
      {failure !== null && <Notice tone="bad">{failureText(failure)}</Notice>}
      <Answering>
        <Button look="primary" disabled={sent !== null} onClick={() => reply("once")}>
          Allow once {active && <kbd>y</kbd>}
        </Button>
        <Button disabled={sent !== null} onClick={() => reply("always")}>
          Always allow {active && <kbd>a</kbd>}
        </Button>
        <Button look="danger" disabled={sent !== null} onClick={() => reply("reject")}>
          Reject {active && <kbd>n</kbd>}
        </Button>
      </Answering>
    </Card>
  );
}

const noKeys = {};
