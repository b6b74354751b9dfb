import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readChains } from './chains-env.js'

const names = (env: NodeJS.ProcessEnv) => readChains(env).map(({ name }) => name)

describe(readChains, () => {
  it('reads the list, the file, or neither', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trestle-chains-')), 'chains.yaml')
    writeFileSync(file, 'chains: [{ name: mine, chainId: 7777, title: Mine, unit: M, blockSeconds: 1 }]')
    expect([names({}), names({ TRESTLE_CHAINS: 'base' }), names({ TRESTLE_CHAINS_FILE: file })]).toEqual([
      ['btc', 'bch', 'ltc', 'eth', 'etc'],
      ['base'],
      ['mine'],
    ])
  })

  it('names the variable that is wrong', () => {
    expect(() => readChains({ TRESTLE_CHAINS: 'bitcoins' })).toThrow('TRESTLE_CHAINS: there is no chain "bitcoins"')
    expect(() => readChains({ TRESTLE_CHAINS_FILE: '/not/there' })).toThrow('TRESTLE_CHAINS_FILE: cannot be read')
  })
})
