import { type ParseArgsConfig, parseArgs } from 'node:util'
import { closest } from '@trestle/problem/closest'
import { EXIT, Failure } from '../failure/failure.js'
import { hasCode } from '../failure/file-failure.js'
import { type Argument, type Command, type Format, GLOBAL_OPTIONS, type Option, type Options } from './command.js'

/** A command line: a command with its arguments and options, or a request for help or for the version. */
export type ParsedLine =
  | { readonly kind: 'help'; readonly words: readonly string[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: Command; readonly args: Given; readonly options: Given; readonly general: GlobalValues }

type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>
type ParsedValues = ReturnType<typeof parseArgs>['values']

interface GlobalValues {
  readonly output: Format
  readonly profile?: string
  readonly org?: string
}

const ROOT = { version: { kind: 'flag', about: 'show the version' } } as const satisfies Options

/** Parses a command line by the descriptions of the commands. */
export function parse(argv: readonly string[], commands: readonly Command[]): ParsedLine {
  const { words, rest } = split(argv, commands)
  const command = commands.find(({ name }) => name === words.join(' '))
  const { values, positionals } = strict(rest, { ...GLOBAL_OPTIONS, ...(command ? command.options : ROOT) }, command?.name ?? 'trestle')
  if (values.help || (!command && words.length + positionals.length === 0 && !values.version)) return { kind: 'help', words }
  if (values.version) return { kind: 'version' }
  if (!command) throw unknownCommand([...words, ...positionals], commands)
  const options = withDefaults(values, { ...GLOBAL_OPTIONS, ...command.options })
  const { choices, default: usual } = GLOBAL_OPTIONS.output
  const output = choices.find((format) => format === options.output) ?? usual
  const [profile, org] = [options.profile, options.org].map((given) => (typeof given === 'string' ? given : undefined))
  return { kind: 'command', command, args: argumentsOf(command, positionals), options, general: { output, profile, org } }
}

/** The words that name a command or a group, wherever global options stand, and everything else. */
function split(argv: readonly string[], commands: readonly Command[]) {
  const { tokens } = parseArgs({ args: [...argv], options: formOf(GLOBAL_OPTIONS), strict: false, allowPositionals: true, tokens: true })
  const words: string[] = []
  const taken = new Set<number>()
  for (const token of tokens) {
    if (token.kind === 'option-terminator') break
    if (token.kind !== 'positional') continue
    const next = [...words, token.value].join(' ')
    if (!commands.some(({ name }) => name === next || name.startsWith(`${next} `))) break
    words.push(token.value)
    taken.add(token.index)
  }
  return { words, rest: argv.filter((_, index) => !taken.has(index)) }
}

function strict(args: string[], options: Options, name: string) {
  try {
    return parseArgs({ args, options: formOf(options), strict: true, allowPositionals: true })
  } catch (error) {
    if (!hasCode(error) || !error.code.startsWith('ERR_PARSE_ARGS')) throw error
    throw new Failure(EXIT.usage, usageMessage(error.message, options, name), helpOf(name))
  }
}

/** Node's message, shortened, with a suggestion. */
function usageMessage(message: string, options: Options, name: string): string {
  const [, unknown = ''] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
  if (!unknown) return `${message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`
  const meant = closest(
    unknown,
    Object.keys(options).map((option) => `--${option}`),
  )
  const value = /^-\d/.test(unknown) ? ' Put a value that begins with - after --.' : ''
  return `${name} has no option ${unknown}.${meant ? ` Did you mean ${meant}?` : value}`
}

function formOf(options: Options): NonNullable<ParseArgsConfig['options']> {
  const form = ({ kind, short }: Option) => ({
    type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
    multiple: kind === 'several',
    ...(short && { short }),
  })
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, form(option)]))
}

function withDefaults(values: ParsedValues, options: Options): Given {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionValue(`--${name}`, option, values[name])]))
}

function optionValue(name: string, option: Option, given: ParsedValues[string]): Given[string] {
  if (option.kind === 'flag') return given === true
  const texts = [given ?? []].flat().map(String)
  // Such as a variable of a script that is not set: --expires '' must not create a key that never expires.
  if (texts.includes('')) throw new Failure(EXIT.usage, `${name} is empty.`)
  for (const text of texts) checkChoice(name, text, option)
  return option.kind === 'several' ? texts : (texts[0] ?? option.default)
}

function argumentsOf({ name, args = {} }: Command, positionals: readonly string[]): Given {
  const left = [...positionals]
  const entries = Object.entries(args).map(([argument, described]) => {
    const { optional, many } = described
    if (many) {
      for (const each of left) checkChoice(`<${argument}>`, each, described)
      return [argument, left.splice(0)]
    }
    const value = left.shift()
    if (value === undefined && !optional) throw new Failure(EXIT.usage, `${name} requires <${argument}>.`, helpOf(name))
    if (value === '') throw new Failure(EXIT.usage, `<${argument}> is empty.`, helpOf(name))
    checkChoice(`<${argument}>`, value, described)
    return [argument, value]
  })
  if (left.length > 0) throw new Failure(EXIT.usage, `${name} takes no "${left[0]}".`, helpOf(name))
  return Object.fromEntries(entries)
}

function checkChoice(what: string, value: string | undefined, { choices, isOpen }: Pick<Argument, 'choices' | 'isOpen'>): void {
  if (value === undefined || isOpen || !choices || choices.includes(value)) return
  const meant = closest(value, choices)
  throw new Failure(
    EXIT.usage,
    `${what} cannot be "${value}".${meant ? ` Did you mean ${meant}?` : ''}`,
    `Choose one of: ${choices.join(', ')}`,
  )
}

function unknownCommand(words: readonly string[], commands: readonly Command[]): Failure {
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  const typed = words.slice(0, group.length > 0 ? 2 : 1).join(' ')
  const names = [...new Set(commands.flatMap(({ name }) => (group.length > 0 ? [name] : [name, name.split(' ')[0] ?? name])))]
  const meant = closest(typed, names)
  if (words.length === 1 && group.length > 0) return new Failure(EXIT.usage, `trestle ${typed} needs a subcommand.`, helpOf(typed))
  return new Failure(
    EXIT.usage,
    `There is no "trestle ${typed}".${meant ? ` Did you mean "trestle ${meant}"?` : ''}`,
    helpOf(group.length > 0 ? words[0] : ''),
  )
}

function helpOf(name = ''): string {
  return `See: trestle ${name === 'trestle' || name === '' ? '' : `${name} `}--help`
}
