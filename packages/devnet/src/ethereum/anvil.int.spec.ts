import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnvilOptions, findAnvil, type RunningAnvil, removeAnvil, startAnvil } from './anvil.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anvil-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe(findAnvil, () => {
  it('takes what npm brought along, or what a variable names', () => {
    const anvil = findAnvil({})
    expect(anvil).toContain('@foundry-rs/anvil-linux-')
    expect(findAnvil({ ANVIL: process.execPath })).toBe(process.execPath)
    expect(() => findAnvil({ ANVIL: '/nowhere' })).toThrow('ANVIL names /nowhere, which is not a program.')
  })
})

describe(startAnvil, () => {
  let anvil: RunningAnvil
  afterEach(() => anvil.stop())

  it('has the chain and the network that were asked for, and finds its chain again on its port', async () => {
    anvil = await startAnvil(options())
    await anvil.rpc.batch([['evm_mine'], ['evm_mine']])
    const before = await head()
    await anvil.stop()
    anvil = await startAnvil(options({ port: anvil.port }))
    expect(await head()).toEqual(before)
    // To anvil the network is the chain.
    expect([await anvil.rpc.call('eth_chainId'), await anvil.rpc.call('net_version')]).toEqual(['0x3d', '61'])
  })

  it('begins with the same block each time', async () => {
    anvil = await startAnvil(options())
    const before = await head()
    await anvil.stop()
    rmSync(join(dir, 'chain.json'))
    anvil = await startAnvil(options())
    expect(await head()).toEqual(before)
  })

  it('starts a new chain if the stored one is incomplete or too long', async () => {
    writeFileSync(join(dir, 'chain.json'), '{"block":')
    anvil = await startAnvil(options())
    expect(await anvil.rpc.call('eth_blockNumber')).toBe('0x0')
    await anvil.rpc.call('evm_mine')
    await anvil.stop()
    truncateSync(join(dir, 'chain.json'), 60 * 2 ** 20)
    anvil = await startAnvil(options())
    expect(await anvil.rpc.call('eth_blockNumber')).toBe('0x0')
  })

  it('is ended, and forgotten, by who knows its folder only', async () => {
    anvil = await startAnvil(options())
    expect(readFileSync(join(dir, 'anvil.pid'), 'utf8')).toBe(String(anvil.pid))
    await removeAnvil(dir)
    expect(await anvil.process.exited).toBe('exit code 0')
  })

  function options(more: Partial<AnvilOptions> = {}): AnvilOptions {
    return { command: findAnvil(), dir, chainId: 61, ...more }
  }

  function head(): Promise<object> {
    return anvil.rpc.call('eth_getBlockByNumber', 'latest', false)
  }
})
