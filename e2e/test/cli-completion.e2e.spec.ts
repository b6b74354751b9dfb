import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { debianProgram } from '@trestle/devnet/debian'
import { AS_COMMAND, CommandLine } from './cli-under-test.js'
import { TerminalWindow } from './terminal-window.js'

// Completion in zsh and fish; bash is in the story of the terminal.

const cli = new CommandLine()
let terminal: TerminalWindow | undefined
afterAll(async () => {
  await terminal?.close()
  cli.remove()
})

it('zsh completes commands with their descriptions', async () => {
  const zsh = await debianProgram({ package: 'zsh-static', path: 'bin/zsh-static', alongside: ['zsh-common'] })
  terminal = await TerminalWindow.open({
    home: cli.home,
    shell: [zsh, '-d', '-i'],
    profile: `fpath=(${join(dirname(zsh), '..')}/usr/share/zsh/functions/**/*(/))
      autoload -Uz compinit && compinit -u -D
      source <(trestle completion zsh)`,
    commands: { trestle: AS_COMMAND },
  })
  await terminal.type('trestle clusters cre')
  await terminal.press('Tab')
  await terminal.shows(/^> trestle clusters create$/m)
  await terminal.press('C-u')
  await terminal.type('trestle completion ')
  await terminal.press('Tab')
  await terminal.shows(/\bzsh\b.* -- the shell$/m)
})

it('fish completes commands with their descriptions', async () => {
  const fish = await debianProgram({ package: 'fish', path: 'usr/bin/fish', withLibraries: 'and loader' })
  const bin = join(cli.home, 'for-fish')
  mkdirSync(bin)
  writeFileSync(join(bin, 'trestle'), `#!/bin/sh\n${AS_COMMAND}\n`, { mode: 0o755 })
  const script = 'trestle completion fish | source; complete -C "trestle clusters cre"'
  const { stdout } = await promisify(execFile)(fish, ['--no-config', '-c', script], {
    env: { HOME: cli.home, PATH: `${bin}:${process.env.PATH}` },
  })
  expect(stdout).toMatch(/^create\t\w.*\n$/)
})
