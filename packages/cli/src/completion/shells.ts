/** Completion scripts. They follow the typed words along the command tree and offer what may come next. */
import type { CompletionNode, Word } from "./tree.ts";

export const shells: Record<string, (nodes: readonly CompletionNode[]) => string> = { bash, zsh, fish };

const program = "sandbox-agent";

function bash(nodes: readonly CompletionNode[]): string {
  return `# bash completion for ${program}
${wordFunctions(nodes)}
_sandbox_agent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $(_sandbox_agent_commands "$path") " in *" $word "*) path="\${path:+$path }$word" ;; esac
  done
  COMPREPLY=($(compgen -W "$(_sandbox_agent_commands "$path") $(_sandbox_agent_options "$path")" -- "$current"))
}
complete -o default -F _sandbox_agent ${program}
`;
}

function zsh(nodes: readonly CompletionNode[]): string {
  return `#compdef ${program}
${wordFunctions(nodes)}
_sandbox_agent() {
  local route="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case " $(_sandbox_agent_commands "$route") " in *" $word "*) route="\${route:+$route }$word" ;; esac
  done
  compadd -- $(_sandbox_agent_commands "$route") $(_sandbox_agent_options "$route")
  _files
}
if [ "$funcstack[1]" = "_sandbox_agent" ]; then _sandbox_agent "$@"; else compdef _sandbox_agent ${program}; fi
`;
}

/** Shell functions that print the words of a node. */
function wordFunctions(nodes: readonly CompletionNode[]): string {
  return `${wordFunction("_sandbox_agent_commands", nodes, ({ commands }) => commands)}
${wordFunction("_sandbox_agent_options", nodes, ({ options }) => options)}`;
}

function wordFunction(
  name: string,
  nodes: readonly CompletionNode[],
  wordsOf: (node: CompletionNode) => Word[],
): string {
  const cases = nodes
    .map((node) => [node.path, wordsOf(node).map(({ word }) => word)] as const)
    .filter(([, words]) => words.length > 0)
    .map(([path, words]) => `    "${path}") echo "${words.join(" ")}" ;;`);
  return `${name}() {
  case "$1" in
${cases.join("\n")}
  esac
}`;
}

function fish(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const here = `-c ${program} -n '__sandbox_agent_at "${path}"'`;
    return [
      ...commands.map(({ word, description }) => `complete ${here} -f -a ${word} -d ${quoted(description)}`),
      ...options
        .filter(({ word }) => word.startsWith("--"))
        .map(({ word, description }) => `complete ${here} -l ${word.slice(2)} -d ${quoted(description)}`),
    ];
  });
  const all = nodes.map(({ path }) => quoted(path)).join(" ");
  return `# fish completion for ${program}
function __sandbox_agent_at
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$path $word")
        contains -- "$next" ${all}; and set path $next
    end
    test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
