import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../apps/cli/dist/trestle.mjs')
/** A shell script that runs it. */
export const AS_COMMAND = `exec ${process.execPath} ${PROGRAM} "$@"`
const GOLDEN = join(import.meta.dirname, 'cli-golden.json')

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface Surroundings {
  stdin?: string
  env?: Record<string, string>
  cwd?: string
}

/** The command line as it is shipped, with a private home directory. */
export class CommandLine {
  readonly home = mkdtempSync(join(tmpdir(), 'trestle-cli-'))

  start(args: readonly string[], { env = {}, cwd = this.home }: Surroundings = {}): Running {
    const path = process.env.PATH ?? ''
    return new Running(spawn(process.execPath, [PROGRAM, ...args], { cwd, env: { HOME: this.home, PATH: path, ...env } }))
  }

  async run(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
    const running = this.start(args, surroundings)
    running.child.stdin.end(surroundings.stdin ?? '')
    return running.ended
  }

  /** Its standard output; throws unless it succeeds. */
  async output(args: readonly string[], surroundings: Surroundings = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, surroundings)
    if (code !== 0) throw new Error(`trestle ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }

  login(url: string, { email, password }: { email: string; password: string }): Promise<string> {
    return this.output(['login', '--url', url, '--email', email, '--password-stdin'], { stdin: `${password}\n` })
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever a command answers
  async json(args: readonly string[], surroundings: Surroundings = {}): Promise<any> {
    return JSON.parse(await this.output([...args, '-o', 'json'], surroundings))
  }

  /** The JSON of a command, compared with its golden shape. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever a command answers
  async golden(name: string, ...more: string[]): Promise<any> {
    const value = await this.json([...name.split(' '), ...more])
    expectGolden(name, value)
    return value
  }

  async code(args: readonly string[]): Promise<number | null> {
    return (await this.run(args)).code
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** A running command. */
class Running {
  stdout = ''
  stderr = ''
  readonly ended: Promise<Ended>

  constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on('data', (text) => {
      this.stdout += text
    })
    child.stderr.on('data', (text) => {
      this.stderr += text
    })
    child.stdin.on('error', () => {})
    this.ended = once(child, 'close').then(([code]) => ({ code, stdout: this.stdout, stderr: this.stderr }))
  }

  /** Waits until one of the outputs matches. */
  async says(words: RegExp): Promise<void> {
    while (!words.test(this.stdout + this.stderr)) {
      if (this.child.exitCode !== null) throw new Error(`it ended with ${this.child.exitCode}, and had said: ${this.stdout}${this.stderr}`)
      await Promise.race([once(this.child.stdout, 'data'), once(this.child.stderr, 'data'), once(this.child, 'close')])
    }
  }
}

/** The shape of a value, without what differs between runs. */
function shapeOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}

const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Record<string, unknown>

/** Compares with the golden shape; `UPDATE_GOLDEN=1` writes the current one. */
export function expectGolden(name: string, value: unknown): void {
  const shape = shapeOf(value)
  if (process.env.UPDATE_GOLDEN) {
    golden[name] = shape
    writeFileSync(GOLDEN, `${JSON.stringify(golden, null, 2)}\n`)
  }
  expect({ [name]: shape }).toEqual({ [name]: golden[name] })
}
