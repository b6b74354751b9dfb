import { setTimeout as delay } from 'node:timers/promises'
import type { Command, CommandRun } from './command/command.js'
import { helpFor } from './command/help.js'
import { type ParsedLine, parse } from './command/parse.js'
import { COMMANDS, GROUPS } from './commands.js'
import type { Env } from './env.js'
import { explain, type FailureContext } from './failure/explanation.js'
import { EXIT, Interrupted } from './failure/failure.js'
import { formatItem, formatReply, type PrintSettings } from './output/print.js'
import { ProfileStore } from './profiles/profile-store.js'
import { LoginSession } from './profiles/session.js'
import { TracedFetch } from './profiles/traced-fetch.js'
import type { TerminalStreams } from './terminal/streams.js'
import { Terminal } from './terminal/terminal.js'

/** Everything that a run needs from its process. */
interface ProgramWorld extends TerminalStreams {
  readonly argv: readonly string[]
  readonly env: Env
  readonly version: string
  readonly fetch: typeof globalThis.fetch
  /** Ends the run, with an `Interrupted` as its reason. */
  readonly signal: AbortSignal
  now(): Date
}

/** Runs the command line; returns the exit code. */
export async function runProgram(world: ProgramWorld): Promise<number> {
  const terminal = new Terminal(world, world.env.isColourless, world.signal)
  const wire = new TracedFetch(world.fetch)
  let attempt: FailureContext | undefined
  let farewell = ''
  try {
    const asked = parse(world.argv, COMMANDS)
    if (asked.kind !== 'command') return printInfo(asked, terminal, world.version)
    const store = new ProfileStore(world.env.folder)
    const session = new LoginSession({ env: world.env, store, wire, ...asked.general, terminal, now: world.now })
    attempt = contextOf(session, wire)
    const whenInterrupted = (text: string) => {
      farewell = text
    }
    const run = runOf({ asked, world, session, store, wire, terminal, whenInterrupted })
    await Promise.race([execute(asked, run, terminal), interruption(world.signal)])
    return run.outcome.exit
  } catch (error) {
    terminal.endProgress()
    return reportFailure(error, attempt, terminal, farewell)
  }
}

function contextOf(session: LoginSession, wire: TracedFetch): FailureContext {
  return {
    url: session.url,
    profile: session.profile,
    get login() {
      return session.login
    },
    get requestId() {
      return wire.requestId
    },
  }
}

type AskedCommand = Extract<ParsedLine, { kind: 'command' }>

function printInfo(asked: Exclude<ParsedLine, { kind: 'command' }>, terminal: Terminal, version: string): number {
  terminal.write(asked.kind === 'version' ? `trestle ${version}\n` : helpFor(asked.words, COMMANDS, GROUPS))
  return EXIT.ok
}

interface Parts {
  asked: AskedCommand
  world: ProgramWorld
  session: LoginSession
  store: ProfileStore
  wire: TracedFetch
  terminal: Terminal
  whenInterrupted(text: string): void
}

function runOf({ asked, world, session, store, wire, terminal, whenInterrupted }: Parts): CommandRun {
  const { env, signal, now } = world
  return {
    args: asked.args,
    options: asked.options,
    get api() {
      return session.api()
    },
    session,
    store,
    terminal,
    env,
    fetch: wire.fetch,
    signal,
    now,
    outcome: { exit: EXIT.ok },
    pause: (millis) => delay(millis, undefined, { signal }),
    whenInterrupted,
  }
}

async function execute({ command, general }: AskedCommand, run: CommandRun, terminal: Terminal): Promise<void> {
  const reply = await command.run(run)
  terminal.endProgress()
  if (reply === undefined) return
  const printing = (): PrintSettings => ({ ...terminal.canvas, format: general.output, now: run.now(), options: run.options })
  if (isStream(reply)) for await (const item of reply) terminal.write(formatItem(command, item, printing()))
  else show(command, reply, printing(), terminal)
}

function show(command: Command, reply: unknown, printing: PrintSettings, terminal: Terminal): void {
  const { text, none } = formatReply(command, reply, printing)
  if (text) terminal.write(text)
  if (none) terminal.note(none)
}

function isStream(reply: unknown): reply is AsyncIterable<unknown> {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply
}

function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

function reportFailure(error: unknown, attempt: FailureContext | undefined, terminal: Terminal, farewell: string): number {
  if (error instanceof Interrupted) {
    if (farewell) terminal.note(farewell)
    return error.exit
  }
  const { exit, message, details, advice } = explain(error, attempt)
  terminal.note([`trestle: ${message}`, ...details.map((line) => `  ${line}`), ...(advice ? [advice] : [])].join('\n'))
  return exit
}
