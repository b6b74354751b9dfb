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
  /** Takes all the arguments that follow. */
  readonly many?: true
  readonly choices?: readonly string[]
  /** Other values are possible too; the platform checks them. */
  readonly isOpen?: true
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
  /** The placeholder of the value in the help. */
  readonly value: string
  readonly choices?: readonly string[]
  /** Other values are possible too; the command checks them. */
  readonly isOpen?: true
  readonly default?: string
}
/** May be given several times. */
interface RepeatedOption<Choice extends string = string> extends Described {
  readonly kind: 'several'
  readonly value: string
  readonly choices?: readonly Choice[]
  readonly isOpen?: true
}
export type Option = FlagOption | TextOption | RepeatedOption

type CommandArguments = Readonly<Record<string, Argument>>
export type Options = Readonly<Record<string, Option>>

type ValueOf<D> = D extends { isOpen: true } ? string : D extends { choices: readonly (infer Choice extends string)[] } ? Choice : string
type GivenArgument<A> = A extends { many: true } ? ValueOf<A>[] : A extends { optional: true } ? ValueOf<A> | undefined : ValueOf<A>
type GivenOption<O> = O extends FlagOption
  ? boolean
  : O extends RepeatedOption<infer Choice>
    ? Choice[]
    : O extends { default: string }
      ? ValueOf<O>
      : ValueOf<O> | undefined

/** The input and the tools of one run of a command. */
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
  /** The exit code of a run that did not fail: what it checked may be unhealthy all the same. */
  readonly outcome: { exit: number }
  /** Sets what to say if the run is interrupted from now on. */
  whenInterrupted(text: string): void
}

/** A command. Its parsing, help, completion and output follow from this. */
export interface Command<A extends CommandArguments = CommandArguments, O extends Options = Options, T = unknown, S = unknown> {
  /** Such as `nodes create`. */
  readonly name: string
  readonly about: string
  /** More about it, a paragraph each. */
  readonly details?: readonly string[]
  readonly args?: A
  readonly options?: O
  /** The endpoints that it calls, and their base path. */
  readonly calls?: { readonly base: string; readonly endpoints: readonly EndpointSpec[] }
  /** Command lines, each with a comment. */
  readonly examples: readonly (readonly [line: string, about: string])[]
  /** Returns the reply of the API; or, if it streams, each item as it comes. */
  run(run: CommandRun<A, O>): Promise<T | AsyncIterable<S> | undefined>
  /** The reply is text, and the same in every format. */
  readonly isText?: true
  /** The reply, for people. */
  view?(reply: T, now: Date, options: CommandRun<A, O>['options']): View
  /** An item of a stream, for people. */
  line?(item: S): string
}

/** Declares a command, with the types of its arguments and options inferred; a list of commands does not need them. */
export function command<const A extends CommandArguments, const O extends Options, T, S>(described: Command<A, O, T, S>): Command {
  return described as unknown as Command
}

export function flag(about: string, short?: string): FlagOption {
  return { kind: 'flag', about, short }
}

export function text<const M extends Partial<Omit<TextOption, 'kind' | 'about' | 'value'>>>(value: string, about: string, more?: M) {
  return { kind: 'text', value, about, ...more } as { kind: 'text'; value: string; about: string } & M
}

export function repeated<Choice extends string>(value: string, about: string, choices?: readonly Choice[]): RepeatedOption<Choice> {
  return { kind: 'several', value, about, choices }
}

const FORMATS = ['table', 'json', 'yaml'] as const
export type Format = (typeof FORMATS)[number]

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  output: text('format', 'the output format', { short: 'o', choices: FORMATS, default: 'table' }),
  profile: text('name', 'the profile to use'),
  org: text('id', 'the organization that it is about, instead of that of the profile; personal: your own'),
  help: flag('show this help', 'h'),
} as const satisfies Options

export const YES = { yes: flag('do not ask for confirmation', 'y') } as const
