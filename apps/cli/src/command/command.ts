import type { EndpointSpec } from '@trestle/contracts/endpoint'
import type { Trestle } from '@trestle/sdk/trestle'
import type { Env } from '../env.js'
import type { View } from '../output/view.js'
import type { ProfileStore } from '../profiles/profile-store.js'
import type { LoginSession } from '../profiles/session.js'
import type { Terminal } from '../terminal/terminal.js'

export interface Argument {
  readonly about: string
  readonly optional?: true
  /** Takes all that follow. */
  readonly many?: true
  readonly choices?: readonly string[]
}

interface Described {
  readonly about: string
  readonly short?: string
}
interface FlagOption extends Described {
  readonly kind: 'flag'
}
interface TextOption extends Described {
  readonly kind: 'text'
  /** What stands for the value in the help. */
  readonly value: string
  readonly choices?: readonly string[]
  /** The choices are those known here; the command says which others are good. */
  readonly isOpen?: true
  readonly default?: string
}
/** May be given several times. */
interface RepeatedOption extends Described {
  readonly kind: 'several'
  readonly value: string
  readonly choices?: readonly string[]
}
export type Option = FlagOption | TextOption | RepeatedOption

type CommandArguments = Readonly<Record<string, Argument>>
export type Options = Readonly<Record<string, Option>>

type GivenArgument<A> = A extends { many: true } ? string[] : A extends { optional: true } ? string | undefined : string
type GivenOption<O> = O extends FlagOption
  ? boolean
  : O extends RepeatedOption
    ? string[]
    : O extends { default: string }
      ? string
      : string | undefined

/** What a command is given to work with. */
export interface CommandRun<A = unknown, O = unknown> {
  readonly args: { readonly [K in keyof A]: GivenArgument<A[K]> }
  readonly options: { readonly [K in keyof O]: GivenOption<O[K]> }
  /** The platform, with the login of the profile. */
  readonly api: Trestle
  readonly session: LoginSession
  readonly store: ProfileStore
  readonly terminal: Terminal
  readonly env: Env
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
  now(): Date
  pause(millis: number): Promise<void>
  /** What the run ends with where nothing failed: what was looked at may be unwell all the same. */
  readonly outcome: { exit: number }
  /** What to say when it is interrupted from here on. */
  whenInterrupted(text: string): void
}

/** One command: from this come its parsing, its help, its completion, and what it prints. */
export interface Command<A extends CommandArguments = CommandArguments, O extends Options = Options, T = unknown, S = unknown> {
  /** Its words: `nodes create`. */
  readonly name: string
  readonly about: string
  /** What else one should know, a paragraph each. */
  readonly details?: readonly string[]
  readonly args?: A
  readonly options?: O
  /** What it asks the platform, under that base path. */
  readonly calls?: { readonly base: string; readonly endpoints: readonly EndpointSpec[] }
  /** Each with what it does. */
  readonly examples: readonly (readonly [line: string, about: string])[]
  /** What the API answered; or, where it goes on, each piece as it comes. */
  run(run: CommandRun<A, O>): Promise<T | AsyncIterable<S> | undefined>
  /** It answers text, which is the same in every format. */
  readonly isText?: true
  /** What people see of the answer. */
  view?(reply: T, now: Date, options: CommandRun<A, O>['options']): View
  /** What people see of a piece. */
  line?(piece: S): string
}

/** Declares a command, with its arguments and options inferred. */
export function command<const A extends CommandArguments, const O extends Options, T, S>(described: Command<A, O, T, S>): Command {
  return described as unknown as Command
}

export function flag(about: string, short?: string): FlagOption {
  return { kind: 'flag', about, short }
}

export function text<const M extends Partial<Omit<TextOption, 'kind' | 'about' | 'value'>>>(value: string, about: string, more?: M) {
  return { kind: 'text', value, about, ...more } as { kind: 'text'; value: string; about: string } & M
}

export function repeated(value: string, about: string, choices?: readonly string[]): RepeatedOption {
  return { kind: 'several', value, about, choices }
}

/** What every command takes. */
export const GLOBAL_OPTIONS = {
  output: text('format', 'the output format', { short: 'o', choices: ['table', 'json', 'yaml'], default: 'table' }),
  profile: text('name', 'the profile to use'),
  help: flag('show this help', 'h'),
} as const satisfies Options

export const YES = { yes: flag('do not ask for confirmation', 'y') } as const
