import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CommandRun, command, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { EXIT, Failure } from '../failure/failure.js'
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
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, 'w')
  // Not through npm: its start script is this very line, and a signal would have to pass through npm.
  const child = spawn(process.execPath, args, { cwd: checkout, env: env.inherited, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  if (child.pid === undefined) throw new Failure(EXIT.unexpected, 'The process cannot be started.')
  platform.remember(child.pid)
  child.unref()
}

async function untilReady({ terminal, pause }: CommandRun, platform: LocalPlatform): Promise<LocalPlatformInfo> {
  const progress = terminal.startProgress('Starting Trestle')
  for (;;) {
    const [line = ''] = platform.lastLines(1)
    progress.update(line.trim() || 'starting')
    // Asked first: who ends leaves no address behind.
    const isRunning = platform.runningPid() !== undefined
    const info = platform.ready()
    if (isRunning && info) break
    if (!isRunning) throw failed(platform)
    await pause(POLL_INTERVAL_MS)
  }
  terminal.endProgress()
  return platform.ready() as LocalPlatformInfo
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
    process.kill(pid, 'SIGTERM')
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

export const localCommands = [up, down]
