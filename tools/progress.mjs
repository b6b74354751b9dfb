// Shows progress: a spinner with the elapsed time on a terminal, plain lines elsewhere. Runs under Node 20 too.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isTerminal = process.stdout.isTTY && process.env.TERM !== 'dumb'
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const TAIL = 60

/** Runs `work` under a title. The work may report its progress: `work((detail) => ...)`. */
export async function step(title, work) {
  const started = Date.now()
  let detail = ''
  const shown = isTerminal ? spin(() => [title, elapsed(started), detail]) : repeat(title, () => [elapsed(started), detail])
  let mark = '✗'
  try {
    const result = await work((text) => {
      detail = text
    })
    mark = '✓'
    return result
  } finally {
    clearInterval(shown)
    console.log(`${isTerminal ? '\r\x1b[2K' : ''}${mark} ${title}  ${elapsed(started)}`)
  }
}

/** Runs a program as a step, with a limit in minutes. Its output goes to .data/logs/<log>.log, and is shown if it fails. */
export function run(title, [command, ...args], { log, minutes = 30, env = process.env }) {
  return step(title, (tell) => execute(command, args, { file: join(root, '.data/logs', `${log}.log`), minutes, env, tell, title }))
}

function execute(command, args, { file, minutes, env, tell, title }) {
  mkdirSync(dirname(file), { recursive: true })
  const output = createWriteStream(file)
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(output, { end: false })
    stream.on('data', (text) => tell(lastLine(String(text))))
  }
  const letGo = passSignals(child)
  const limit = setTimeout(() => child.kill(), minutes * 60_000)
  // A program that it left running may keep its output open.
  child.on('exit', () => setTimeout(() => child.stdout.destroy() && child.stderr.destroy(), 2000).unref())
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${command} cannot be run: ${error.message}`)))
    child.on('close', (code, signal) => {
      letGo()
      clearTimeout(limit)
      output.end(() => {
        if (code === 0) return resolve()
        const end = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-TAIL).join('\n')
        reject(new Error(`${title}: failed (${signal ?? `exit code ${code}`}). The end of ${relative(root, file)}:\n\n${end}`))
      })
    })
  })
}

/** Forwards terminating signals to the child, then exits. Returns how to undo it. */
function passSignals(child) {
  const pass = (signal) => {
    child.kill(signal)
    process.exit(128 + constants.signals[signal])
  }
  const abandoned = () => pass('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)
  process.on('disconnect', abandoned)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, pass)
    process.off('disconnect', abandoned)
  }
}

function spin(texts) {
  let frame = 0
  return setInterval(() => {
    const line = `${FRAMES[frame++ % FRAMES.length]} ${texts().join('  ')}`
    process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`)
  }, 100)
}

function repeat(title, texts) {
  console.log(`  ${title} ...`)
  return setInterval(() => console.log(`  ${texts().join('  ')}`), 20_000)
}

function lastLine(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of other programs
  const lines = text.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, '').split(/[\r\n]+/)
  return lines.findLast((line) => line.trim() !== '')?.trim() ?? ''
}

function elapsed(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
