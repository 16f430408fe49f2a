/** The skill sources of a new session. */
import { Plus, Trash2 } from "lucide-react";
import type { SkillsConfig } from "sandbox-agent";
import { Button, IconButton, Input, Select } from "../design/index.ts";
import styles from "./sessions.module.css";

type SkillType = SkillsConfig["sources"][number]["type"];

export interface SkillEntry {
  key: string;
  type: SkillType;
  source: string;
}

const types: readonly { value: SkillType; label: string; example: string }[] = [
  { value: "local", label: "Directory", example: "/path/to/skills" },
  { value: "github", label: "GitHub", example: "owner/repository" },
  { value: "git", label: "Git", example: "https://…/skills.git" },
  { value: "archive", label: "Archive", example: "path or URL of a .tar.gz or .zip" },
];

export function SkillFields({ value, onChange }: { value: SkillEntry[]; onChange: (entries: SkillEntry[]) => void }) {
  const change = (key: string, part: Partial<SkillEntry>) =>
    onChange(value.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)));
  const add = () => onChange([...value, { key: String(Math.random()), type: "local", source: "" }]);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        Skills
        <Button small look="ghost" onClick={add} aria-label="Add skills">
          <Plus /> Add
        </Button>
      </legend>
      <div className={styles.entries}>
        {value.map(({ key, type, source }) => (
          <div className={`${styles.entry} ${styles.skill}`} key={key}>
            <Select
              aria-label="Source type"
              value={type}
              options={types}
              onChange={(next) => {
                const known = types.find((each) => each.value === next);
                if (known) change(key, { type: known.value });
              }}
            />
            <Input
              aria-label="Source"
              placeholder={types.find((each) => each.value === type)?.example}
              value={source}
              required
              spellCheck={false}
              onChange={(event) => change(key, { source: event.target.value })}
            />
            <IconButton label="Remove" onClick={() => onChange(value.filter((entry) => entry.key !== key))}>
              <Trash2 />
            </IconButton>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

export function skillsOf(entries: SkillEntry[]): SkillsConfig {
  return { sources: entries.map(({ type, source }) => ({ type, source: source.trim() })) };
}
