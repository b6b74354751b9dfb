import { type Command, GLOBAL_OPTIONS, type Option, type Options } from './command.js'

interface CompletionCandidate {
  readonly word: string
  readonly about: string
}

/** What the last of these words could become: a command, an option, or one of the values of either. */
export function candidates(words: readonly string[], commands: readonly Command[]): CompletionCandidate[] {
  const [typed = '', ...before] = [...words].reverse()
  const said = before.reverse()
  const command = commandIn(said, commands)
  const options: Options = { ...GLOBAL_OPTIONS, ...command?.options }
  return possible({ said, typed, command, options, commands }).filter(({ word }) => word.startsWith(typed))
}

interface Place {
  said: readonly string[]
  typed: string
  command?: Command
  options: Options
  commands: readonly Command[]
}

function possible({ said, typed, command, options, commands }: Place): CompletionCandidate[] {
  const asked = optionNamed(said.at(-1), options)
  if (asked && asked.kind !== 'flag') return (asked.choices ?? []).map((word) => ({ word, about: '' }))
  if (typed.startsWith('-')) return Object.entries(options).map(([name, { about }]) => ({ word: `--${name}`, about }))
  return command ? choicesOf(command, positionalsOf(said, options)) : nextWords(positionalsOf(said, options), commands)
}

function commandIn(said: readonly string[], commands: readonly Command[]): Command | undefined {
  const words = positionalsOf(said, GLOBAL_OPTIONS)
  const [found] = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `)).sort((a, b) => b.name.length - a.name.length)
  return found
}

/** The words that are neither options nor their values. */
function positionalsOf(said: readonly string[], options: Options): string[] {
  return said.filter((word, index) => {
    const before = optionNamed(said[index - 1], options)
    return !word.startsWith('-') && (!before || before.kind === 'flag')
  })
}

function optionNamed(word: string | undefined, options: Options): Option | undefined {
  if (!word?.startsWith('-')) return undefined
  return Object.entries(options).find(([name, { short }]) => word === `--${name}` || (short && word === `-${short}`))?.[1]
}

function choicesOf({ name, args = {} }: Command, positionals: readonly string[]): CompletionCandidate[] {
  const place = positionals.length - name.split(' ').length
  const all = Object.values(args)
  const argument = all[place] ?? (all.at(-1)?.many ? all.at(-1) : undefined)
  return (argument?.choices ?? []).map((word) => ({ word, about: argument?.about ?? '' }))
}

function nextWords(said: readonly string[], commands: readonly Command[]): CompletionCandidate[] {
  const found = new Map<string, string>()
  for (const { name, about } of commands) {
    const words = name.split(' ')
    const next = words[said.length]
    if (next === undefined || said.some((word, index) => words[index] !== word)) continue
    if (!found.has(next)) found.set(next, words.length === said.length + 1 ? about : '')
  }
  return [...found].map(([word, about]) => ({ word, about }))
}

/** What each shell reads. It asks `trestle completion candidates` what there is, so that nothing in it becomes old. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_trestle() {
  local IFS=$'\\n'
  COMPREPLY=($(trestle completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _trestle trestle
`,
  zsh: `#compdef trestle
_trestle() {
  local -a found
  local line
  while IFS= read -r line; do found+=("\${line%%$'\\t'*}:\${line#*$'\\t'}"); done < <(trestle completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe trestle found || _files
}
compdef _trestle trestle
`,
  fish: `complete -c trestle -f -a '(trestle completion candidates -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}
