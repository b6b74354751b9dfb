import { AS_COMMAND, CommandLine } from '../cli-under-test.js'
import { TerminalWindow } from '../terminal-window.js'
import { newcomer, type Person, platform } from './platform.js'

// The command line in a real terminal.

const cli = new CommandLine()
let owner: Person
let terminal: TerminalWindow
beforeAll(async () => {
  owner = await newcomer('typist')
  terminal = await TerminalWindow.open({
    home: cli.home,
    profile: 'source <(trestle completion bash)',
    commands: { trestle: AS_COMMAND },
  })
})
afterAll(async () => {
  await terminal.close()
  cli.remove()
})

it('asks for the password without showing it', async () => {
  await terminal.enter(`trestle login --url ${platform.ingress} --email ${owner.email}`)
  await terminal.shows(/Password of typist@example.org:$/m)
  await terminal.type('not this one')
  await terminal.press('Enter')
  await terminal.shows(/WrongCredentials|InvalidCredentials|Unauthenticated/)
  await terminal.enter(`trestle login --url ${platform.ingress} --email ${owner.email}`)
  await terminal.shows(/Password of typist@example.org:$/m)
  await terminal.type(owner.password)
  await terminal.press('Enter')
  const screen = await terminal.shows(/Logged in at .* as typist@example.org; it expires in 1/)
  expect(screen).not.toContain(owner.password)
})

it('completes a word when Tab is pressed', async () => {
  await terminal.press('C-l')
  await terminal.type('trestle nodes cr')
  await terminal.press('Tab')
  await terminal.shows(/^> trestle nodes create$/m)
  await terminal.type('lt')
  await terminal.press('Tab')
  await terminal.shows(/^> trestle nodes create ltc/m)
  await terminal.press('C-c')
})

describe('a node', () => {
  it('is awaited on one changing line, and continues when that is interrupted', async () => {
    await terminal.enter('trestle nodes create ltc --wait; echo "ended with $?"')
    await terminal.shows(/^node-\S+ {2}\w+/m)
    await terminal.press('C-c')
    const screen = await terminal.shows(/^ended with/m)
    expect(screen).toContain('continues in the background. Follow it with: trestle nodes status')
    expect(screen).toContain('ended with 130')
    await terminal.enter('trestle nodes create ltc --wait; echo "ended with $?"')
    const ready = await terminal.shows(/^ended with 0/m)
    expect(ready).not.toMatch(/^node-\S+ {2}(pending|starting)/m)
  })

  it('is in a table with colours, as wide as the window', async () => {
    await terminal.enter('trestle nodes list')
    await terminal.shows(/^ID .*\n(node-.*\n){2}/m)
    expect(await terminal.screen('-e')).toContain('\x1b[')
    await terminal.resize(70)
    await terminal.enter('trestle nodes list')
    const narrow = await terminal.shows(/^ID .*\n(node-.*\n){2}/m)
    expect(narrow).toMatch(/^ID .* …$/m)
    await terminal.resize(110)
    await terminal.enter('NO_COLOR=1 trestle nodes list')
    await terminal.shows(/^ID .*\n(node-.*\n){2}/m)
    expect(await terminal.screen('-e')).not.toContain('\x1b[')
  })

  it('is removed after yes', async () => {
    const [{ id }] = await cli.json(['nodes', 'list'])
    await terminal.enter(`trestle nodes rm ${id}; echo "ended with $?"`)
    await terminal.shows(/\[y\/N\]/)
    await terminal.press('Enter')
    await terminal.shows(/Nothing was done\.\nended with 1$/m)
    await terminal.enter(`trestle nodes rm ${id}; echo "ended with $?"`)
    await terminal.shows(/\[y\/N\]/)
    await terminal.type('y')
    await terminal.press('Enter')
    await terminal.shows(/^ended with 0$/m)
    await terminal.enter(`trestle nodes info ${id}; echo "ended with $?"`)
    await terminal.shows(/^ended with 5$/m)
  })
})

it('exits on Ctrl-C at every prompt, and restores the terminal', async () => {
  await terminal.enter('trestle login; echo "ended with $?"')
  await terminal.shows(/E-?mail/i)
  await terminal.press('C-c')
  await terminal.shows(/^ended with 130$/m)
  await terminal.enter('echo seen')
  await terminal.shows(/^seen$/m)
})
