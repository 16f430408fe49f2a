/** The requests of this page to the daemon, newest first, each as a curl command. */
import { Radio, Trash2 } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { CodeBlock } from "../../conversation/code-block.tsx";
import { CopyButton, EmptyState, IconButton, Input } from "../../design/index.ts";
import { Detail, Panel, panelStyles, Split } from "../frame/panel.tsx";
import { clockText, durationText } from "../frame/readable.ts";
import { curlOf } from "./curl.ts";
import { type Exchange, requestLog } from "./request-log.ts";
import styles from "./requests.module.css";

export default function RequestsPanel() {
  const exchanges = useSyncExternalStore(requestLog.subscribe, requestLog.exchanges);
  const [search, setSearch] = useState("");
  const [selected, select] = useState<number | null>(null);
  const shown = exchanges.filter((exchange) => matches(exchange, search)).toReversed();
  const exchange = exchanges.find(({ id }) => id === selected);

  const toolbar = (
    <>
      <Input
        className={panelStyles.grow}
        type="search"
        placeholder="Filter requests"
        aria-label="Filter requests"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <IconButton label="Clear log" small onClick={requestLog.clear}>
        <Trash2 />
      </IconButton>
    </>
  );

  return (
    <Panel toolbar={toolbar}>
      <Split>
        <ul className={styles.list} aria-label="Requests">
          {shown.map((exchange) => (
            <li key={exchange.id}>
              <Row exchange={exchange} isSelected={exchange.id === selected} onSelect={() => select(exchange.id)} />
            </li>
          ))}
          {shown.length === 0 && <EmptyState icon={Radio} title="No requests" />}
        </ul>
        {exchange && <ExchangeDetail exchange={exchange} onClose={() => select(null)} />}
      </Split>
    </Panel>
  );
}

function matches({ method, url, status }: Exchange, search: string): boolean {
  const text = `${method} ${url} ${status ?? ""}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Row({ exchange, isSelected, onSelect }: { exchange: Exchange; isSelected: boolean; onSelect(): void }) {
  const { method, url, durationMs, startedAt } = exchange;
  return (
    <button type="button" className={panelStyles.row} aria-current={isSelected} onClick={onSelect}>
      <span className={styles.status} data-tone={toneOf(exchange)}>
        {statusText(exchange)}
      </span>
      <span className={styles.method}>{method}</span>
      <span className={`${panelStyles.text} ${panelStyles.mono}`}>{pathOf(url)}</span>
      <span className={panelStyles.faint}>{durationMs === null ? "" : durationText(durationMs)}</span>
      <span className={panelStyles.faint}>{clockText(startedAt)}</span>
    </button>
  );
}

function ExchangeDetail({ exchange, onClose }: { exchange: Exchange; onClose(): void }) {
  const curl = curlOf(exchange);
  const { method, url, body, answer, failure } = exchange;
  return (
    <Detail
      title={`${method} ${pathOf(url)}`}
      actions={<CopyButton text={curl} label="Copy as curl" />}
      onClose={onClose}
    >
      <div className={panelStyles.padded}>
        <Part title="As curl" text={curl} language="bash" />
        {body !== null && <Part title="Body" text={pretty(body)} language="json" />}
        {answer !== null && <Part title={`Response ${statusText(exchange)}`} text={pretty(answer)} language="json" />}
        {failure !== null && <Part title="No response" text={failure} language={null} />}
      </div>
    </Detail>
  );
}

function Part({ title, text, language }: { title: string; text: string; language: string | null }) {
  return (
    <section>
      <h4 className={styles.heading}>{title}</h4>
      <CodeBlock text={text} language={language} label={title} maxHeight={360} />
    </section>
  );
}

function toneOf({ status, failure }: Exchange): string {
  if (failure === "cancelled") return "plain";
  if (failure !== null || (status !== null && status >= 400)) return "bad";
  return status === null ? "plain" : "ok";
}

function statusText({ status, failure }: Exchange): string {
  if (status !== null) return String(status);
  if (failure === null) return "…";
  return failure === "cancelled" ? "cancelled" : "failed";
}

/** Shows slashes in the query unescaped. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search.replaceAll("%2F", "/");
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
