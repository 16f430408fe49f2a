/** Completion scripts. All of them walk the typed words along the commands and offer what may follow the last one. */
import type { Place, Word } from "./tree.ts";

export const shells: Record<string, (places: readonly Place[]) => string> = { bash, zsh, fish };

const program = "sandbox-agent";

function bash(places: readonly Place[]): string {
  return `# bash completion for ${program}
${wordFunctions(places)}
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

function zsh(places: readonly Place[]): string {
  return `#compdef ${program}
${wordFunctions(places)}
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

/** Shell functions that print the words of a place. */
function wordFunctions(places: readonly Place[]): string {
  return `${wordFunction("_sandbox_agent_commands", places, ({ commands }) => commands)}
${wordFunction("_sandbox_agent_options", places, ({ options }) => options)}`;
}

function wordFunction(name: string, places: readonly Place[], wordsOf: (place: Place) => Word[]): string {
  const cases = places
    .map((place) => [place.path, wordsOf(place).map(({ word }) => word)] as const)
    .filter(([, words]) => words.length > 0)
    .map(([path, words]) => `    "${path}") echo "${words.join(" ")}" ;;`);
  return `${name}() {
  case "$1" in
${cases.join("\n")}
  esac
}`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const here = `-c ${program} -n '__sandbox_agent_at "${path}"'`;
    return [
      ...commands.map(({ word, description }) => `complete ${here} -f -a ${word} -d ${quoted(description)}`),
      ...options
        .filter(({ word }) => word.startsWith("--"))
        .map(({ word, description }) => `complete ${here} -l ${word.slice(2)} -d ${quoted(description)}`),
    ];
  });
  const all = places.map(({ path }) => quoted(path)).join(" ");
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
