import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CommandRun, command, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { EXIT, Failure } from '../failure/failure.js'
import { fileFailure, hasCode } from '../failure/file-failure.js'
import { checkoutOf } from './checkout.js'
import { LocalPlatform, type LocalPlatformInfo } from './local-platform.js'

const POLL_INTERVAL_MS = 500
const TAIL = 15
const DIR = { dir: text('folder', 'the Trestle checkout; by default the current one') } as const

const up = command({
  name: 'up',
  about: 'Start a complete Trestle platform from a checkout, and wait until it is ready.',
  details: ['Runs npm start in the background. The first start takes some minutes, to install and build everything.'],
  options: { ...DIR, port: text('port', 'where it listens (8080)'), only: text('services', 'only these, comma-separated') },
  examples: [
    ['trestle up', 'in a checkout'],
    ['trestle up --dir ~/trestle --only accounts,nodes', 'from another folder, and only two services'],
  ],
  async run(run) {
    const platform = new LocalPlatform(checkoutOf(run.options.dir ?? '.'))
    if (platform.runningPid() === undefined) start(run, platform)
    else run.terminal.note('It is already running.')
    run.whenInterrupted('The start continues in the background. Follow it with: trestle up. End it: trestle down')
    const info = await untilReady(run, platform)
    run.terminal.note(`Next: trestle login --url ${info.ingress} --email ${info.demo.email}`)
    return info
  },
  view: ({ ingress, mailbox, demo }) => ({
    fields: [
      ['platform', ingress],
      ['mailbox', mailbox],
      ['demo user', demo.email],
      ['password', demo.password],
    ],
  }),
})

type UpRun = CommandRun<unknown, typeof DIR & { port: ReturnType<typeof text>; only: ReturnType<typeof text> }>

function start({ options, env }: UpRun, platform: LocalPlatform): void {
  const { checkout, log } = platform
  const port = options.port ? ['--port', String(integerOf(options.port, '--port', 1, 64_535))] : []
  const args = [join(checkout, 'tools/bootstrap.mjs'), 'start', ...port, ...(options.only ? ['--only', options.only] : [])]
  const output = openLog(log)
  // What npm start runs, without npm: a signal would have to pass through it.
  const child = spawn(process.execPath, args, { cwd: checkout, env: env.inherited, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  // Without a listener, the event would end this program before it says so.
  child.once('error', () => undefined)
  if (child.pid === undefined) throw new Failure(EXIT.unexpected, 'The process cannot be started.')
  platform.remember(child.pid)
  child.unref()
}

function openLog(log: string): number {
  try {
    mkdirSync(dirname(log), { recursive: true })
    return openSync(log, 'w')
  } catch (error) {
    throw fileFailure(error, log, 'written', 'The platform keeps its data in .data of the checkout: use one that you own.')
  }
}

async function untilReady({ terminal, pause }: CommandRun, platform: LocalPlatform): Promise<LocalPlatformInfo> {
  const progress = terminal.startProgress('Starting Trestle')
  for (;;) {
    const [line = ''] = platform.lastLines(1)
    progress.update(line.trim() || 'starting')
    // In this order: the file of the addresses is removed before its process ends.
    const isRunning = platform.runningPid() !== undefined
    const info = platform.ready()
    if (!isRunning) throw failed(platform)
    if (info) {
      terminal.endProgress()
      return info
    }
    await pause(POLL_INTERVAL_MS)
  }
}

function failed(platform: LocalPlatform): Failure {
  platform.forget()
  return new Failure(
    EXIT.unexpected,
    `It did not start. The end of ${platform.log}:\n\n${platform.lastLines(TAIL).join('\n')}\n`,
    'Check this machine: trestle doctor',
  )
}

const down = command({
  name: 'down',
  about: 'Stop what trestle up started. The data is kept.',
  options: DIR,
  examples: [['trestle down', 'in the same checkout']],
  async run({ options, terminal, pause, whenInterrupted }) {
    const platform = new LocalPlatform(checkoutOf(options.dir ?? '.'))
    const pid = platform.runningPid()
    if (pid === undefined) {
      platform.forget()
      terminal.note(
        platform.ready()
          ? 'The platform here was not started by trestle up: stop npm start with Ctrl-C.'
          : 'Nothing that trestle up started is running here.',
      )
      return undefined
    }
    terminate(pid)
    whenInterrupted('It continues to stop in the background.')
    const progress = terminal.startProgress('Stopping Trestle')
    while (platform.runningPid() === pid) {
      progress.update(platform.lastLines(1)[0]?.trim() || 'stopping')
      await pause(POLL_INTERVAL_MS)
    }
    platform.forget()
    terminal.endProgress()
    terminal.note('Stopped. The data is kept.')
    return undefined
  },
})

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    if (!hasCode(error) || error.code !== 'EPERM') return
    throw new Failure(EXIT.forbidden, `Process ${pid} belongs to another user.`, 'Run trestle down as the user who ran trestle up.')
  }
}

export const localCommands = [up, down]
