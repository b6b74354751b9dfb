import { OTHER_CHAIN, OTHER_TITLE } from '../chains/chain-choice.js'
import { EXIT_MEANINGS } from '../failure/failure.js'
import { type Argument, type Command, GLOBAL_OPTIONS, type Option, type Options } from './command.js'

/** What the groups are for, in the order of the help. */
export type Groups = Readonly<Record<string, string>>

const WIDTH = 100

/** The help of everything, of a group of commands, or of one. */
export function helpFor(words: readonly string[], commands: readonly Command[], groups: Groups): string {
  const name = words.join(' ')
  const command = commands.find((each) => each.name === name)
  if (command) return helpOfCommand(command)
  return words.length === 0 ? helpOfAll(commands, groups) : helpOfGroup(name, commands, groups)
}

function helpOfAll(commands: readonly Command[], groups: Groups): string {
  const tops = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const aboutOf = (top: string) => groups[top] ?? commands.find(({ name }) => name === top)?.about ?? ''
  return page([
    ['', ['trestle: your blockchain infrastructure platform, from the terminal.']],
    ['Usage', ['trestle <command> [arguments] [options]']],
    ['Commands', list(tops.map((top) => [top, aboutOf(top)]))],
    ['Global options', list(optionRows(GLOBAL_OPTIONS))],
    ['Examples', examples(FIRST_STEPS)],
    ['Environment', list(ENVIRONMENT)],
    ['Files', list(FILES)],
    ['Exit codes', list(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))],
    ['', ['Help for a command: trestle <command> --help']],
  ])
}

const FIRST_STEPS = [
  ['trestle up', 'a complete platform on this machine, from a checkout'],
  ['trestle login --url http://127.0.0.1:8080', 'prompts for the e-mail address and password'],
  [`trestle nodes create ${OTHER_CHAIN} --wait`, `a node of ${OTHER_TITLE}, once it is ready`],
  ['trestle nodes list -o json', 'the JSON of the API, for programs'],
] as const

const ENVIRONMENT = [
  ['TRESTLE_URL', "the URL of the platform, instead of the profile's"],
  ['TRESTLE_TOKEN', "an access token, instead of the profile's login"],
  ['TRESTLE_PROFILE', 'the profile, unless --profile is given'],
  ['TRESTLE_ORGANIZATION', 'the organization, unless --org is given'],
  ['NO_COLOR', 'disables colours'],
] as const

const FILES = [
  ['$XDG_CONFIG_HOME/trestle/config.json', 'the URLs and organizations of the profiles; by default in ~/.config'],
  ['$XDG_CONFIG_HOME/trestle/credentials.json', 'their logins, private (mode 600)'],
] as const

function helpOfGroup(name: string, commands: readonly Command[], groups: Groups): string {
  const members = commands.filter((each) => each.name.startsWith(`${name} `))
  return page([
    ['', [groups[name] ?? '']],
    ['Usage', [`trestle ${name} <command> [arguments] [options]`]],
    ['Commands', list(members.map((each) => [each.name, each.about]))],
    ['Examples', examples(members.flatMap((each) => each.examples.slice(0, 1)))],
    ['', [`Help for a command: trestle ${members[0]?.name} --help`]],
  ])
}

function helpOfCommand(command: Command): string {
  const { about, details = [], args = {}, options = {}, calls, examples: shown } = command
  const asked = calls?.endpoints.map(({ method, path }) => `${method} ${calls.base}${path}`) ?? []
  return page([
    ['', [about]],
    ['Usage', [usageOf(command)]],
    ['', details.flatMap((detail) => wrap(detail, WIDTH - 2))],
    ['Arguments', list(Object.entries(args).map(([name, argument]) => [`<${name}>`, withChoices(argument)]))],
    ['Options', list(optionRows(options))],
    ['Global options', list(optionRows(GLOBAL_OPTIONS))],
    ['Examples', examples(shown)],
    ['API calls', asked],
  ])
}

/** One line: the command with what it takes. */
export function usageOf({ name, args = {}, options = {} }: Command): string {
  const placeOf = ([argument, { optional, many }]: [string, Argument]) => {
    const place = `<${argument}>${many ? '...' : ''}`
    return optional || many ? `[${place}]` : place
  }
  return ['trestle', name, ...Object.entries(args).map(placeOf), ...(Object.keys(options).length > 0 ? ['[options]'] : [])].join(' ')
}

function optionRows(options: Options): [string, string][] {
  return Object.entries(options).map(([name, option]) => {
    const value = option.kind === 'flag' ? '' : ` <${option.value}>`
    return [`${option.short ? `-${option.short}, ` : '    '}--${name}${value}`, withChoices(option)]
  })
}

function withChoices(described: Argument | Option): string {
  const choices = 'choices' in described && described.choices ? `: ${described.choices.join(', ')}` : ''
  const usual = 'default' in described && described.default ? ` (${described.default})` : ''
  const many = 'kind' in described && described.kind === 'several' ? '; repeatable' : ''
  return `${described.about}${choices}${usual}${many}`
}

function examples(lines: readonly (readonly [string, string])[]): string[] {
  return lines.flatMap(([line, about]) => [`# ${about}`, line])
}

function list(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.flatMap(([name, about]) => {
    const [first = '', ...more] = wrap(about, Math.max(30, WIDTH - width - 4))
    return [`${name.padEnd(width)}  ${first}`.trimEnd(), ...more.map((line) => ' '.repeat(width + 2) + line)]
  })
}

/** Sections with a title each, and those that say nothing left out. */
function page(sections: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  const shown = sections.filter(([, lines]) => lines.length > 0)
  return `${shown.map(([title, lines]) => (title ? [title, ...lines.map((line) => `  ${line}`)] : lines).join('\n')).join('\n\n')}\n`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
