import { type ParseArgsConfig, parseArgs } from 'node:util'
import { EXIT, Failure } from '../failure/failure.js'
import { closest } from './closest.js'
import { type Command, GLOBAL_OPTIONS, type Option, type Options } from './command.js'

/** What somebody typed: a command with what it is given, or a wish for help. */
export type ParsedLine =
  | { readonly kind: 'help'; readonly words: readonly string[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: Command; readonly args: Given; readonly options: Given; readonly general: GlobalValues }

type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export type Format = 'table' | 'json' | 'yaml'

interface GlobalValues {
  readonly output: Format
  readonly profile?: string
}

const ROOT = { version: { kind: 'flag', about: 'show the version' } } as const satisfies Options

/** Reads a command line, as the commands describe themselves. */
export function parse(argv: readonly string[], commands: readonly Command[]): ParsedLine {
  const { words, rest } = split(argv, commands)
  const command = commands.find(({ name }) => name === words.join(' '))
  const { values, positionals } = strict(rest, { ...GLOBAL_OPTIONS, ...(command ? command.options : ROOT) }, command?.name ?? 'trestle')
  if (values.help || (!command && words.length + positionals.length === 0 && !values.version)) return { kind: 'help', words }
  if (values.version) return { kind: 'version' }
  if (!command) throw unknownCommand([...words, ...positionals], commands)
  const options = withDefaults(values as Given, { ...GLOBAL_OPTIONS, ...command.options })
  const general = { output: options.output as Format, profile: options.profile as string | undefined }
  return { kind: 'command', command, args: argumentsOf(command, positionals), options, general }
}

/** The words that name a command or a group of them, wherever general options stand, and all that is left. */
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
    const { code, message } = error as NodeJS.ErrnoException
    throw new Failure(EXIT.usage, code?.startsWith('ERR_PARSE_ARGS') ? usageMessage(message, options, name) : message, helpOf(name))
  }
}

/** Node's words, shorter, with what was meant perhaps. */
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

function withDefaults(values: Given, options: Options): Given {
  const entries = Object.entries(options).map(([name, option]) => {
    const value = values[name]
    if (option.kind === 'flag') return [name, value === true]
    if (option.kind === 'several') {
      const all = (value as readonly string[] | undefined) ?? []
      for (const each of all) checkChoice(`--${name}`, each, option.choices)
      return [name, all]
    }
    if (!option.isOpen) checkChoice(`--${name}`, value as string | undefined, option.choices)
    return [name, value ?? option.default]
  })
  return Object.fromEntries(entries)
}

function argumentsOf({ name, args = {} }: Command, positionals: readonly string[]): Given {
  const left = [...positionals]
  const entries = Object.entries(args).map(([argument, { optional, many, choices }]) => {
    if (many) return [argument, left.splice(0)]
    const value = left.shift()
    if (value === undefined && !optional) throw new Failure(EXIT.usage, `${name} requires <${argument}>.`, helpOf(name))
    checkChoice(`<${argument}>`, value, choices)
    return [argument, value]
  })
  if (left.length > 0) throw new Failure(EXIT.usage, `${name} takes no "${left[0]}".`, helpOf(name))
  return Object.fromEntries(entries)
}

function checkChoice(what: string, value: string | undefined, choices?: readonly string[]): void {
  if (value === undefined || !choices || choices.includes(value)) return
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
