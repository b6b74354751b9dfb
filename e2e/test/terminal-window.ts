import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { debianProgram } from '@trestle/devnet/debian'
import { foldersOfPath, programIn } from '@trestle/devnet/executable'
import { eventually } from '@trestle/testing/eventually'

const run = promisify(execFile)

interface WindowOptions {
  /** Where the shell begins, and whose it is. */
  readonly home: string
  /** What the shell reads at its start. */
  readonly profile: string
  /** By their names, what it may call: scripts for sh. */
  readonly commands: Readonly<Record<string, string>>
  /** Bash unless given. */
  readonly shell?: readonly string[]
}

/** A shell in a real terminal, that of tmux: typed into, and looked at as somebody in front of it would. */
export class TerminalWindow {
  private constructor(
    private readonly tmux: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async open({ home, profile, commands, shell = ['bash', '--noprofile', '-i'] }: WindowOptions): Promise<TerminalWindow> {
    const tmux =
      programIn(foldersOfPath(process.env), 'tmux') ??
      (await debianProgram({ package: 'tmux', path: 'usr/bin/tmux', withLibraries: 'and loader' }))
    const bin = join(home, 'bin')
    mkdirSync(bin)
    for (const [name, script] of Object.entries(commands)) writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    for (const file of ['.bashrc', '.zshrc']) writeFileSync(join(home, file), `PS1='> '\nunset HISTFILE\n${profile}\n`)
    const env = { HOME: home, PATH: `${bin}:${process.env.PATH}`, TMUX_TMPDIR: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' }
    const window = new TerminalWindow(tmux, env)
    await window.tell('-f', '/dev/null', 'new-session', '-d', '-x', '110', '-y', '40', '-c', home, ...shell)
    await window.shows(/^>$/m)
    return window
  }

  /** As somebody at the keyboard. */
  async type(text: string): Promise<void> {
    await this.tell('send-keys', '-l', '--', text)
  }

  /** `Enter`, `Tab`, `C-c` and their like. */
  async press(...keys: string[]): Promise<void> {
    await this.tell('send-keys', ...keys)
  }

  /** A command, on an empty screen. */
  async enter(command: string): Promise<void> {
    await this.press('C-l')
    await this.shows(/^>$/)
    await this.type(command)
    await this.press('Enter')
  }

  /** What is on the screen, once these words are. */
  shows(words: RegExp): Promise<string> {
    let screen = ''
    return eventually(async () => {
      screen = await this.screen()
      return words.test(screen) ? screen : undefined
    }, `${words} on the screen`).catch((error: Error) => Promise.reject(new Error(`${error.message}; it shows:\n${screen}`)))
  }

  /** With `-e`, colours too. */
  async screen(...options: string[]): Promise<string> {
    return (await this.tell('capture-pane', '-p', ...options)).trimEnd()
  }

  async resize(columns: number): Promise<void> {
    await this.tell('resize-window', '-x', String(columns))
  }

  async close(): Promise<void> {
    await this.tell('kill-server')
  }

  private async tell(...args: string[]): Promise<string> {
    const { stdout } = await run(this.tmux, ['-u', '-L', 'stories', ...args], { env: this.env })
    return stdout
  }
}
