/** Adds skills to a directory, or edits their sources. */
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { SkillSource } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { Button, Dialog, Field, IconButton, Input, Select } from "../../design/index.ts";
import { Failure, panelStyles } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import styles from "./config.module.css";

export interface SkillsEntry {
  directory: string;
  name: string;
  /** Empty for a new one. */
  sources: readonly SkillSource[];
}

const types: readonly { value: SkillSource["type"]; label: string }[] = [
  { value: "local", label: "Directory" },
  { value: "github", label: "GitHub" },
  { value: "git", label: "Git" },
  { value: "archive", label: "Archive" },
];
const newSource: SkillSource = { type: "local", source: "" };

export function SkillsForm({ entry, onClose }: { entry: SkillsEntry; onClose(): void }) {
  const client = useClient();
  const action = useAction(["skills config"]);
  const [name, setName] = useState(entry.name);
  const [directory, setDirectory] = useState(entry.directory);
  const isNew = entry.sources.length === 0;
  const [sources, setSources] = useState(isNew ? [newSource] : entry.sources);

  const save = (event: FormEvent) => {
    event.preventDefault();
    action.run(async () => {
      await client.setSkillsConfig({ directory, skill_name: name }, { sources: [...sources] });
      onClose();
    });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={isNew ? "Add skills" : `Skills ${entry.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="skills" disabled={action.busy}>
            Save
          </Button>
        </>
      }
    >
      <form id="skills" className={panelStyles.form} onSubmit={save}>
        <Failure error={action.error} />
        <Field label="Name">
          <Input value={name} required disabled={!isNew} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Directory" hint="All sessions in this directory use the skills">
          <Input value={directory} required disabled={!isNew} onChange={({ target }) => setDirectory(target.value)} />
        </Field>
        {sources.map((source, index) => (
          <SourceFields
            // biome-ignore lint/suspicious/noArrayIndexKey: sources have no id
            key={index}
            source={source}
            onChange={(changed) => setSources(sources.with(index, changed))}
            onRemove={sources.length > 1 ? () => setSources(sources.toSpliced(index, 1)) : null}
          />
        ))}
        <Button small onClick={() => setSources([...sources, newSource])}>
          <Plus /> Add source
        </Button>
      </form>
    </Dialog>
  );
}

interface SourceProps {
  source: SkillSource;
  onChange(source: SkillSource): void;
  onRemove: (() => void) | null;
}

function SourceFields({ source, onChange, onRemove }: SourceProps) {
  const { type, skills = [], ref, subpath, ...rest } = source;
  const optional = (name: "ref" | "subpath", value: string) => {
    const { [name]: _, ...others } = source;
    onChange(value === "" ? others : { ...others, [name]: value });
  };
  const only = (text: string) => {
    const { skills: _, ...others } = source;
    const names = text.split(/[\s,]+/).filter(Boolean);
    onChange(names.length === 0 ? others : { ...others, skills: names });
  };
  return (
    <fieldset className={styles.source}>
      <legend>Source</legend>
      <Field label="Type">
        <Select
          value={type}
          options={types}
          onChange={(value) =>
            onChange({ ...source, type: types.find((type) => type.value === value)?.value ?? "local" })
          }
        />
      </Field>
      <Field label="Location" hint="owner/repo, a git URL, a directory, or the path or URL of an archive">
        <Input value={rest.source} required onChange={({ target }) => onChange({ ...source, source: target.value })} />
      </Field>
      <Field label="Subfolder">
        <Input value={subpath ?? ""} onChange={({ target }) => optional("subpath", target.value)} />
      </Field>
      <Field label="Branch, tag or commit">
        <Input value={ref ?? ""} onChange={({ target }) => optional("ref", target.value)} />
      </Field>
      <Field label="Only these skills">
        <Input defaultValue={skills.join(" ")} onBlur={({ target }) => only(target.value)} />
      </Field>
      {onRemove && (
        <IconButton label="Remove source" small onClick={onRemove}>
          <Trash2 />
        </IconButton>
      )}
    </fieldset>
  );
}
