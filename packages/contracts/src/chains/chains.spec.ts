import { DEPLOYMENTS, deploymentsOf } from '../areas.js'
import { IMAGES } from '../nodes/shapes.js'
import { FINALITY_NAMES, type ServedChain } from './chain.js'
import { CHAIN_NAME, CHAINS, chainNamed, chainOfImage, DEFAULT_CHAINS, maxLagOf, onNetwork, titleOfImage, unitOf } from './chains.js'

describe('the table of chains', () => {
  it.each(['name', 'port', 'title'] as const)('gives every chain a %s of its own', (member) => {
    expect(new Set(CHAINS.map((chain) => chain[member])).size).toBe(CHAINS.length)
  })

  it('gives every EVM chain an id of its own', () => {
    const ids = CHAINS.flatMap((chain) => (chain.family === 'evm' ? chain.chainId : []))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('names chains so that a path, a schema and a variable can be made of them', () => {
    expect(CHAINS.filter(({ name }) => !CHAIN_NAME.test(name))).toEqual([])
    const others = new Set(deploymentsOf([]).map(({ name }) => name))
    expect(CHAINS.filter(({ name }) => others.has(name))).toEqual([])
  })

  it('keeps the ports of the chains that were first, and all of them apart from the others and their internal ports', () => {
    expect(DEPLOYMENTS.map(({ name, port }) => [name, port])).toEqual([
      ['accounts', 4000],
      ['staking', 4001],
      ['nodes', 4002],
      ['btc', 4010],
      ['bch', 4011],
      ['ltc', 4012],
      ['eth', 4020],
      ['etc', 4021],
      ['console', 4100],
    ])
    const ports = deploymentsOf(CHAINS).map(({ port }) => port)
    expect(new Set(ports).size).toBe(ports.length)
    expect(Math.max(...ports)).toBeLessThanOrEqual(4100)
  })

  it('serves by default what there always was', () => {
    expect(DEFAULT_CHAINS).toEqual(['btc', 'bch', 'ltc', 'eth', 'etc'])
    expect(IMAGES).toEqual(['btc', 'bch', 'ltc', 'btctestnet', 'bchtestnet', 'ltctestnet', 'eth', 'etc'])
  })
})

describe('the record of an EVM chain', () => {
  const records = CHAINS.flatMap((chain) => (chain.family === 'evm' ? [[chain.name, chain] as const] : []))

  it.each(records)('of %s is sane', (_, { blockSeconds, finality, explorer, colour, decimals, networkId, chainId }) => {
    expect(blockSeconds).toBeGreaterThanOrEqual(0.2)
    expect(blockSeconds).toBeLessThanOrEqual(15)
    expect(explorer).toMatch(/^https:\/\/[^/]+(\/[a-z/]+[a-z])?$/)
    expect(colour).toMatch(/^#[0-9a-f]{6}$/)
    expect([decimals, Number.isSafeInteger(networkId ?? chainId)]).toEqual([18, true])
    expect(typeof finality === 'string' ? FINALITY_NAMES : [finality]).toContainEqual(finality)
  })

  it('says what makes a block final', () => {
    const by = Object.groupBy(records, ([, { finality }]) => (typeof finality === 'string' ? finality : `${finality.depth} blocks`))
    expect(Object.fromEntries(Object.entries(by).map(([rule, chains = []]) => [rule, chains.map(([name]) => name)]))).toEqual({
      beacon: ['eth', 'sepolia', 'hoodi', 'gnosis'],
      '1024 blocks': ['etc'],
      l1: ['base', 'optimism', 'arbitrum', 'linea', 'scroll', 'zksync', 'mantle', 'blast', 'celo', 'unichain'],
      milestones: ['polygon'],
      nodes: ['bnb', 'sonic', 'berachain'],
      instant: ['avalanche'],
    })
  })
})

describe(onNetwork, () => {
  it.each([
    ['btc', 'regtest', { network: 'regtest' }],
    ['eth', 'mainnet', { chainId: 1, network: 'mainnet' }],
    ['eth', '1', { chainId: 1, network: 'mainnet' }],
    ['eth', '11155111', { chainId: 11_155_111, networkId: 11_155_111, network: 'testnet' }],
    ['eth', '31337', { chainId: 31_337, networkId: 31_337, network: 'private' }],
    ['etc', '61', { chainId: 61, networkId: 1, network: 'mainnet' }],
  ])('makes of %s on %s the same chain with %j', (name, network, expected) => {
    expect(onNetwork(named(name), network)).toMatchObject({ name, ...expected })
  })

  it.each([
    ['ltc', 'signet'],
    ['btc', 'toString'],
    ['eth', 'sepolia'],
    ['eth', '0'],
  ])('knows no %s on %s', (name, network) => {
    expect(onNetwork(named(name), network)).toBeUndefined()
  })
})

describe('the kinds of node', () => {
  it('belong to a chain, with its title and how far behind they may be', () => {
    expect(IMAGES.map((image) => [chainOfImage(image)?.name, titleOfImage(image), maxLagOf(image)])).toEqual([
      ['btc', 'Bitcoin', 2],
      ['bch', 'Bitcoin Cash', 2],
      ['ltc', 'Litecoin', 4],
      ['btc', 'Bitcoin testnet', 2],
      ['bch', 'Bitcoin Cash testnet', 2],
      ['ltc', 'Litecoin testnet', 4],
      ['eth', 'Ethereum', 30],
      ['etc', 'Ethereum Classic', 30],
    ])
  })

  it('are those of the table only', () => {
    expect([chainOfImage('other'), titleOfImage('other'), maxLagOf('other')]).toEqual([undefined, 'other', 0])
  })
})

describe(unitOf, () => {
  it('is that of the record, or the name in capitals', () => {
    expect([unitOf('base'), unitOf('doge'), unitOf('mine')]).toEqual(['ETH', 'DOGE', 'MINE'])
  })
})

function named(name: string): ServedChain {
  const chain = chainNamed(name)
  if (!chain) throw new Error(`There is no ${name}.`)
  return chain
}
