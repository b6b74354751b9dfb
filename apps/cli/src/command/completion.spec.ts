import { COMMANDS } from '../commands.js'
import { candidates } from './completion.js'

describe(candidates, () => {
  it.each([
    [['no'], ['nodes']],
    [['nodes', 'cr'], ['create']],
    [
      ['nodes', 'create', 'l'],
      ['ltc', 'ltctestnet'],
    ],
    [['nodes', 'create', 'ltc', '--wa'], ['--wait']],
    [
      ['-o', ''],
      ['table', 'json', 'yaml'],
    ],
    [['-o', 'json', 'nodes', 'lis'], ['list']],
    [
      ['eth', 'projects', ''],
      ['list', 'create', 'namespaces', 'quorum', 'rotate', 'rm', 'limits', 'tokens'],
    ],
    [
      ['btc', 'addr', '--chain', 'b'],
      ['btc', 'bch'],
    ],
    [['btc', 'addr', '--chain', 'ltc', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nodes', 'create', '--profile', ''], []],
    [['orgs', 'roles', 'o', 'u', 'member', 'bi'], ['billing']],
    [['nothing', ''], []],
  ])('after %j are %j', (words, found) => {
    expect(candidates(words, COMMANDS).map(({ word }) => word)).toEqual(found)
  })

  it('begins with every command', () => {
    const tops = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))
    expect(candidates([''], COMMANDS).map(({ word }) => word)).toEqual([...tops])
  })
})
