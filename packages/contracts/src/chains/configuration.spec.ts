import { DEPLOYMENTS, deploymentsOf } from '../areas.js'
import { servedChains } from './configuration.js'

const MINE = '{ name: mine, chainId: 424242, title: Mine, unit: MNE, blockSeconds: 2 }'
const names = (configuration: Parameters<typeof servedChains>[0]) => servedChains(configuration).map(({ name }) => name)

describe(servedChains, () => {
  it('are those that there always were where nothing is said', () => {
    expect(deploymentsOf(servedChains({}))).toEqual(DEPLOYMENTS)
  })

  it('are those that are named, in their order, each on its network', () => {
    expect(servedChains({ names: ' doge, btc:regtest,eth:31337 ,base:,' })).toMatchObject([
      { name: 'doge', family: 'bitcoin', network: 'mainnet', port: 4013 },
      { name: 'btc', network: 'regtest' },
      { name: 'eth', chainId: 31_337, networkId: 31_337, network: 'private' },
      { name: 'base', chainId: 8453, network: 'mainnet', unit: 'ETH' },
    ])
  })

  it('are those of the file, also without a record', () => {
    expect(servedChains({ file: `chains:\n  - ltc:testnet\n  - ${MINE}\n` })).toMatchObject([
      { name: 'ltc', network: 'testnet' },
      { name: 'mine', family: 'evm', chainId: 424_242, decimals: 18, network: 'mainnet', port: 4060 },
    ])
  })

  it.each([
    ['', 'nodes'],
    [', finality: instant', 'instant'],
    [', finality: l1', 'l1'],
    [', finality: { depth: 64 }', { depth: 64 }],
    // As the release before had it.
    [', finalityDepth: 64', { depth: 64 }],
  ])('have the finality that the file gives:%s', (given, finality) => {
    expect(servedChains({ file: `chains: [${MINE.replace(' }', `${given} }`)}]` })).toEqual([
      {
        name: 'mine',
        family: 'evm',
        chainId: 424_242,
        title: 'Mine',
        unit: 'MNE',
        decimals: 18,
        blockSeconds: 2,
        finality,
        network: 'mainnet',
        port: 4060,
        colour: '#868e96',
      },
    ])
  })

  it('are those that are named of the file and of the table, where both are given', () => {
    expect(names({ names: 'mine,btc', file: `chains: [eth, ${MINE}]` })).toEqual(['mine', 'btc'])
  })

  it('are none where none is named', () => {
    expect([names({ names: '' }), deploymentsOf([]).map(({ name }) => name)]).toEqual([[], ['accounts', 'staking', 'nodes', 'console']])
  })

  it.each([
    [{ names: 'btc,nochain' }, 'there is no chain "nochain": use one of btc, bch,'],
    [{ names: 'btc:sepolia' }, 'btc has no network "sepolia"'],
    [{ names: 'btc,btc:regtest' }, 'btc is listed twice'],
    [{ file: 'chains: []' }, 'the file is not a list of chains'],
    [{ file: 'btc' }, 'the file is not a list of chains'],
    [{ file: `chains: [${MINE.replace('mine', 'nodes')}]` }, 'no chain can be called nodes'],
    [{ file: `chains: [${MINE.replace('mine', 'base')}]` }, 'base has a record: list it by its name alone'],
    [{ file: `chains: [${MINE.replace('424242', '0')}]` }, 'the file is not a list of chains'],
    [{ file: `chains: [${MINE.replace('2 }', '2, finality: 3 }')}]` }, 'the file is not a list of chains'],
    [{ file: `chains: [${MINE.replace('2 }', '2, finality: soon }')}]` }, 'the file is not a list of chains'],
    [{ file: `chains: [${MINE.replace('2 }', '2, finality: { depth: 0 } }')}]` }, 'the file is not a list of chains'],
    [{ file: `chains: [${MINE.replace('2 }', '2, finality: { depth: 9, by: l1 } }')}]` }, 'the file is not a list of chains'],
    [{ file: `chains: [${MINE.replace('2 }', '2, finality: l1, finalityDepth: 9 }')}]` }, 'use finality alone'],
    [{ file: `chains: [${MINE.replace('2 }', '2, headerHash: sha3 }')}]` }, 'the file is not a list of chains'],
  ])('of %j cannot be', (configuration, message) => {
    expect(() => servedChains(configuration)).toThrow(message)
  })

  it('have ports of their own', () => {
    const file = `chains: [${[...Array(40).keys()].map((i) => MINE.replace('mine', `mine${i}`).replace('424242', String(i + 1000))).join(', ')}]`
    const ports = deploymentsOf([...servedChains({ file }), ...servedChains({})]).map(({ port }) => port)
    expect(new Set(ports).size).toBe(ports.length)
    expect(Math.max(...ports)).toBe(4100)
    expect(() => servedChains({ file: file.replace('chains: [', `chains: [${MINE}, `) })).toThrow('at most 40 are allowed')
  })
})
