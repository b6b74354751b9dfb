import { command, flag, repeated, text } from './command.js'
import { parse } from './parse.js'

const run = async () => undefined
const COMMANDS = [
  command({ name: 'login', about: '', options: { url: text('url', '') }, examples: [], run }),
  command({
    name: 'nodes create',
    about: '',
    args: { image: { about: '', choices: ['btc', 'ltc'] } },
    options: { large: flag('', 'l'), allow: repeated('address', ''), ttl: text('time', '', { default: '1d' }) },
    examples: [],
    run,
  }),
  command({ name: 'nodes rpc', about: '', args: { id: { about: '' }, params: { about: '', many: true } }, examples: [], run }),
  command({
    name: 'nodes sort',
    about: '',
    args: { id: { about: '' }, orders: { about: '', many: true, choices: ['up', 'down'] } },
    examples: [],
    run,
  }),
  command({ name: 'eth projects list', about: '', examples: [], run }),
]

describe(parse, () => {
  it('finds the command, wherever options stand', () => {
    expect(of('-o json nodes create --allow ::1 ltc -l --allow 10.0.0.0/8 --profile work')).toMatchObject({
      command: { name: 'nodes create' },
      args: { image: 'ltc' },
      options: { large: true, allow: ['::1', '10.0.0.0/8'], ttl: '1d' },
      general: { output: 'json', profile: 'work' },
    })
    expect(of('eth projects list')).toMatchObject({
      command: { name: 'eth projects list' },
      general: { output: 'table', profile: undefined },
    })
  })

  it('takes what follows -- as it is', () => {
    expect(of('nodes rpc n1 -- -1 --help')).toMatchObject({ kind: 'command', args: { id: 'n1', params: ['-1', '--help'] } })
    expect(of('nodes rpc n1')).toMatchObject({ args: { params: [] } })
  })

  it.each([
    ['', []],
    ['--help', []],
    ['nodes --help', ['nodes']],
    ['nodes create -h', ['nodes', 'create']],
    ['-h eth projects', ['eth', 'projects']],
  ])('gives help for "%s"', (line, words) => {
    expect(of(line)).toEqual({ kind: 'help', words })
  })

  it('tells the version', () => {
    expect(of('--version')).toEqual({ kind: 'version' })
  })

  it.each([
    ['nodse', 'There is no "trestle nodse". Did you mean "trestle nodes"?'],
    ['nodes creat', 'There is no "trestle nodes creat". Did you mean "trestle nodes create"?'],
    ['nodes', 'trestle nodes needs a subcommand.'],
    ['nodes create', 'nodes create requires <image>.'],
    ['nodes create ltd', '<image> cannot be "ltd". Did you mean ltc?'],
    ['nodes create ltc btc', 'nodes create takes no "btc".'],
    ['nodes create ltc --larg', 'nodes create has no option --larg. Did you mean --large?'],
    ['nodes rpc n1 -1', 'nodes rpc has no option -1. Put a value that begins with - after --.'],
    ['nodes create ltc -o xml', '--output cannot be "xml".'],
    ['login --url', "Option '--url <value>' argument missing."],
    ['login x', 'login takes no "x".'],
    ['nodes sort n1 up sideways', '<orders> cannot be "sideways".'],
  ])('refuses "%s" as wrong usage', (line, message) => {
    expect(() => of(line)).toThrow(expect.objectContaining({ exit: 2, message }))
  })
})

it('refuses an empty argument or option, but not an empty item of a list', () => {
  for (const option of ['--ttl=', '--allow='])
    expect(() => parse(['nodes', 'create', 'ltc', option], COMMANDS)).toThrow(
      expect.objectContaining({ exit: 2, message: `${option.slice(0, -1)} is empty.` }),
    )
  expect(() => parse(['nodes', 'create', ''], COMMANDS)).toThrow(expect.objectContaining({ exit: 2, message: '<image> is empty.' }))
  expect(parse(['nodes', 'rpc', 'n1', ''], COMMANDS)).toMatchObject({ args: { params: [''] } })
})

function of(line: string) {
  return parse(line.split(' ').filter(Boolean), COMMANDS)
}
