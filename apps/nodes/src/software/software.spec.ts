import fc from 'fast-check'
import { aBlueprint } from '../../test/a-blueprint.js'
import type { Blueprint } from '../catalogue/blueprint.js'
import { builtInCatalogue, findByImage } from '../catalogue/catalogue.js'
import { rpcauth } from './bitcoin-family.js'
import { rpcPathOf } from './evm.js'
import { lastLines } from './log-lines.js'
import type { ProgramSetup } from './program-setup.js'
import { argsOf, configOf, graceSecondsOf, releaseOf } from './software.js'

const HERE: ProgramSetup = { dataDir: '/d/data', configFile: '/d/node.conf', host: '127.0.0.1', rpcPort: 20_001, p2pPort: 20_002 }
const GETH_DEV = aBlueprint({ chain: 'eth', network: 'dev', daemon: 'geth', software: 'geth-1.16.9', version: '1.16.9', memoryMiB: 1024 })
const PASSWORD = 'correct horse battery staple'

describe(argsOf, () => {
  it('has the folder and no password on any command line', () => {
    for (const blueprint of [...builtInCatalogue('local'), ...builtInCatalogue('kubernetes')]) {
      const args = argsOf(blueprint, HERE).join(' ')
      expect(args).toContain('/d/data')
      expect(args).not.toMatch(/rpcauth|password/)
    }
  })

  it('makes private chains with the chain ids of eth and etc', () => {
    expect(argsOf(local('etc'), HERE)).toEqual(expect.arrayContaining(['--host=127.0.0.1', '--port=20001', '--chain-id=61', '--no-cors']))
    expect(argsOf(local('eth'), HERE)).toContain('--chain-id=1337')
  })

  it('enables no namespace that controls geth, and no peers without a port for them', () => {
    const geth = argsOf(far('eth'), { ...HERE, p2pPort: undefined })
    expect(geth).toEqual(expect.arrayContaining(['--mainnet', '--http.api=eth,net,web3', '--nodiscover', '--maxpeers=0']))
    expect(argsOf(far('etc'), { ...HERE, engineSecretFile: '/secret' })).toEqual(
      expect.arrayContaining(['--classic', '--port=20002', '--authrpc.jwtsecret=/secret']),
    )
  })

  it('serves a WebSocket beside the HTTP of geth, so that a gateway in front of it need not poll', () => {
    const expected = ['--http.port=20001', '--ws', '--ws.addr=127.0.0.1', '--ws.port=20001', '--ws.api=eth,net,web3']
    for (const blueprint of [far('eth'), far('etc'), GETH_DEV]) expect(argsOf(blueprint, HERE)).toEqual(expect.arrayContaining(expected))
  })

  it('lets geth make blocks on a private chain, by itself', () => {
    expect(argsOf(GETH_DEV, HERE)).toEqual(expect.arrayContaining(['--dev', '--dev.period=2', '--config=/d/node.conf', '--nodiscover']))
  })
})

describe(configOf, () => {
  it('is the same each time, and contains no password', () => {
    const config = configOf(local('btc'), HERE, PASSWORD)
    expect(config).toBe(configOf(local('btc'), HERE, PASSWORD))
    expect(config).not.toContain(PASSWORD)
    expect(config).toContain(rpcauth(PASSWORD))
    expect(configOf(local('eth'), HERE, PASSWORD)).toBeUndefined()
  })

  it('serves the RPC of geth on a private chain at a path that only the gateway knows', () => {
    const [path, other] = [rpcPathOf(GETH_DEV, PASSWORD), rpcPathOf(GETH_DEV, 'another')]
    expect(path).toMatch(/^\/[0-9a-f]{64}$/)
    expect(other).not.toBe(path)
    expect(configOf(GETH_DEV, HERE, PASSWORD)).toBe(`[Node]\nHTTPPathPrefix = "${path}"\nWSPathPrefix = "${path}"\n`)
    expect(argsOf(GETH_DEV, HERE).join(' ')).not.toContain(path.slice(1))
    for (const blueprint of [local('eth'), far('eth'), local('btc')]) expect(rpcPathOf(blueprint, PASSWORD)).toBe('/')
    expect(configOf(far('eth'), HERE, PASSWORD)).toBeUndefined()
  })

  it('keeps a private chain on loopback without automatic peers', () => {
    const lines = configOf(local('ltc'), HERE, PASSWORD)?.split('\n') ?? []
    expect(lines.slice(lines.indexOf('[regtest]'))).toEqual([
      '[regtest]',
      'rpcbind=127.0.0.1',
      'rpcport=20001',
      'listen=1',
      'bind=127.0.0.1:20002',
      'connect=0',
      '',
    ])
    expect(lines).toEqual(
      expect.arrayContaining(['regtest=1', 'disablewallet=1', 'rest=1', 'rpcallowip=127.0.0.1', 'vbparams=mweb:9999999999:9999999999']),
    )
  })

  it('opens a public network to its cluster, with a cache by its memory', () => {
    const there = { ...HERE, host: '0.0.0.0', p2pPort: 8333 }
    expect(configOf(far('btc'), there, PASSWORD)?.split('\n')).toEqual(
      expect.arrayContaining(['dbcache=1024', 'rpcallowip=0.0.0.0/0', '[main]', 'rpcbind=0.0.0.0', 'port=8333']),
    )
    expect(configOf(far('btc', 'large'), there, PASSWORD)).toContain('dbcache=8192\n')
    expect(configOf(far('btctestnet'), there, PASSWORD)).toContain('\n[testnet4]\n')
    expect(configOf(far('ltctestnet'), there, PASSWORD)).toContain('\n[test]\n')
    expect(configOf(far('btc'), { ...there, p2pPort: undefined }, PASSWORD)).toContain('\nlisten=0\n')
  })
})

describe(releaseOf, () => {
  it.each([
    ['bitcoind', 'Bitcoin Knots daemon version v29.4.3.knots20260508', 'bitcoin-knots-29.4.3'],
    ['bitcoind', 'Bitcoin Core daemon version v31.0.0 bitcoind', 'bitcoin-core-31.0.0'],
    ['litecoind', 'Litecoin Core version v0.21.2.1-gfce5d459f0a8', 'litecoin-core-0.21.2.1'],
    ['anvil', 'anvil Version: 1.7.1', 'anvil-1.7.1'],
    ['geth', 'geth version 1.17.7-stable-1a2b3c4d', 'geth-1.17.7'],
    ['bitcoind', 'Bitcoin Cash Node Daemon version v29.0.0', undefined],
    ['bitcoin-cash-node', 'Bitcoin Cash Node Daemon version v29.0.0', 'bitcoin-cash-node-29.0.0'],
    ['litecoind', 'Bitcoin Core version v25.0', undefined],
    ['anvil', '', undefined],
  ] as const)('of %s that says "%s" is %s', (daemon, line, release) => {
    expect(releaseOf({ daemon }, line)).toBe(release)
  })
})

describe(graceSecondsOf, () => {
  it('is longer for a public network', () => {
    expect([graceSecondsOf(far('btc')), graceSecondsOf(local('btc'))]).toEqual([600, 40])
  })
})

describe(lastLines, () => {
  it('removes escape sequences', () => {
    expect(lastLines('a\n\u001b[31mred\u001b[0m\u001b]0;title\u0007\r\n\u001bc\u0000b\u009b2J\n', 2)).toEqual(['red', 'b2J'])
  })

  it('returns as many as requested, without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, count) => {
        const lines = lastLines(text, count)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        return lines.length <= count && lines.every((line) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(line))
      }),
    )
  })
})

function local(image: 'btc' | 'ltc' | 'eth' | 'etc'): Blueprint {
  return findByImage(builtInCatalogue('local'), image, 'standard')!
}

function far(image: 'btc' | 'btctestnet' | 'ltctestnet' | 'eth' | 'etc', performance: 'standard' | 'large' = 'standard'): Blueprint {
  return findByImage(builtInCatalogue('kubernetes'), image, performance)!
}
