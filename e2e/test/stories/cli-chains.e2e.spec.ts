import { NodeRpc } from '@trestle/devnet/chains/node-rpc'
import { eventually } from '@trestle/testing/eventually'
import { CommandLine, expectGolden } from '../cli-under-test.js'
import { newcomer, platform } from './platform.js'

// Every command of these nouns once, as a shell script would call it; the files beside this one have the others.

const WITHDRAWAL = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const cli = new CommandLine()
beforeAll(async () => {
  await cli.login(platform.ingress, await newcomer('caller-of-chains'))
  const { id } = await cli.json(['orgs', 'create', 'Harbour'])
  const { id: me } = await cli.json(['whoami'])
  await cli.output(['orgs', 'roles', id, me, 'owner', 'billing'])
  await cli.output(['eth', 'projects', 'create', 'first'])
})

afterAll(() => cli.remove())

describe('a validator', () => {
  it('is created, shown and reported, with its amounts in ETH and in wei', async () => {
    const { pubkey } = await cli.golden('validators create', '--withdrawal-address', WITHDRAWAL)
    await eventually(async () => (await cli.json(['validators', 'info', pubkey])).phase === 'ready' || undefined, 'it is ready')
    expect(await cli.golden('validators list')).toHaveLength(1)
    await cli.golden('validators info', `0x${pubkey.toUpperCase()}`)
    expect(await cli.output(['validators', 'info', pubkey])).toContain('0 ETH (0 wei)')
    await cli.golden('validators performance', pubkey)
    expect(await cli.output(['validators', 'report', '-o', 'json'])).toMatch(new RegExp(`^chain,pubkey.*\\r\\ndev,${pubkey},`))
    expect(await cli.code(['validators', 'create'])).toBe(2)
    expect(await cli.code(['validators', 'create', '--withdrawal-address', WITHDRAWAL, '--chain', 'mars'])).toBe(5)
  })

  it('exits only when its public key is typed', async () => {
    const [{ pubkey }] = await cli.json(['validators', 'list'])
    expect((await cli.run(['validators', 'exit', pubkey])).stderr).toContain(`pass --confirm ${pubkey}`)
    expect(await cli.code(['validators', 'exit', pubkey, '--confirm', 'yes'])).toBe(2)
    expect(await cli.json(['validators', 'info', pubkey])).toMatchObject({ exitRequestedAt: null })
    expect(await cli.code(['validators', 'exit', pubkey, '--confirm', pubkey])).toBe(0)
    expect((await cli.json(['validators', 'info', pubkey])).exitRequestedAt).toEqual(expect.any(String))
    expect(await cli.code(['validators', 'rm', pubkey, '--yes'])).toBe(0)
  })

  it('is in the bill of its organization', async () => {
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    expect(await cli.json(['billing', 'report', '--from', day, '--to', day])).toEqual(expect.any(Array))
    expect(await cli.code(['billing', 'report'])).toBe(2)
  })
})

describe('a chain', () => {
  const ltc = ['--chain', 'ltc']

  it('is read: status, address, outputs, block and transaction', async () => {
    const { address } = platform.chains.ltc!
    const finished = async () => {
      const { sync } = await cli.json(['btc', 'status', ...ltc])
      return sync.status === 'finished' ? sync : undefined
    }
    const sync = await eventually(finished, 'the index has the chain', 60_000)
    // Null or not, as the index goes.
    expectGolden('btc status', { ...sync, blocksPerSecond: 0, secondsLeft: 0, note: '' })
    const { balanceSat, transactions } = await cli.golden('btc addr', address, ...ltc, '--limit', '3')
    expect([transactions.length, typeof balanceSat]).toEqual([3, 'number'])
    expect(await cli.output(['btc', 'addr', address, ...ltc])).toMatch(/balance +\d+\.\d+ LTC \(\d+ satoshis\)/)
    const outputs = await cli.json(['btc', 'utxo', address, ...ltc])
    expectGolden('btc utxo', [outputs.find(({ confirmations }: { confirmations: number }) => confirmations > 0)])
    const { hash, tx } = await cli.golden('btc block', '114', ...ltc)
    expect(await cli.json(['btc', 'block', hash, ...ltc])).toMatchObject({ height: 114 })
    expect((await cli.json(['btc', 'block', ...ltc])).height).toBeGreaterThan(114)
    // The chain grows: the output may be spent by now.
    const { vout, ...payment } = await cli.json(['btc', 'tx', tx[4], ...ltc])
    expectGolden('btc tx', { ...payment, vout: vout.map(({ scriptPubKey }: object & { scriptPubKey: object }) => scriptPubKey) })
    expect(await cli.output(['btc', 'tx', tx[0], ...ltc])).toContain('coinbase')
  })

  it('accepts or refuses a transaction from a pipe', async () => {
    const { rpc, cookieFile, wallet } = platform.chains.ltc!
    const node = new NodeRpc(rpc, cookieFile).wallet(wallet)
    const plain = await node.call<string>('createrawtransaction', [], { [await node.call<string>('getnewaddress')]: 0.1 })
    const { hex: funded } = await node.call<{ hex: string }>('fundrawtransaction', plain, { feeRate: 0.0002 })
    const { hex } = await node.call<{ hex: string }>('signrawtransactionwithwallet', funded)
    const { txid } = await cli.json(['btc', 'send', ...ltc], { stdin: `${hex}\n` })
    // It is read from the node after the answer.
    await eventually(async () => (await cli.code(['btc', 'tx', txid, ...ltc])) === 0 || undefined, 'the transaction is known')
    expect(await cli.json(['btc', 'tx', txid, ...ltc])).toMatchObject({ txid })
    expect(await cli.run(['btc', 'send', ...ltc], { stdin: '00\n' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TX decode failed'),
    })
    expect(await cli.code(['btc', 'tx', '0'.repeat(64), ...ltc])).toBe(5)
  })
})

it('Ethereum is called through projects', async () => {
  expect(await cli.json(['eth', 'call', 'eth_blockNumber'])).toMatch(/^0x/)
  expect(await cli.json(['eth', 'call', 'eth_getBlockByNumber', 'latest', 'false'])).toHaveProperty('hash')
  expect(await cli.code(['eth', 'call', 'eth_nothing'])).toBe(2)
  await cli.golden('eth projects create', 'mine')
  expect(await cli.golden('eth projects list')).toHaveLength(2)
  expect(await cli.run(['eth', 'call', 'eth_chainId'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Several projects match'),
  })
  expect(await cli.output(['eth', 'call', 'eth_chainId', '-p', 'mine'])).toBe('0x7a69\n')
  await eventually(async () => (await cli.json(['eth', 'usage', '-p', 'mine'])).usage.length > 0 || undefined, 'the call is in the usage')
  await cli.golden('eth usage', '-p', 'mine', '--since', '7d', '--by', 'day')
  expect(await cli.code(['eth', 'call', 'eth_nothing', '-p', 'mine'])).toBe(2)
  await eventually(async () => (await cli.json(['eth', 'failures', 'mine'])).length > 0 || undefined, 'the failed call is there')
  await cli.golden('eth errors', 'mine', '--by', 'day')
  const [{ requestId }] = await cli.golden('eth failures', 'mine', '--code=-32601')
  expect(await cli.output(['eth', 'failures', 'mine', '--request', requestId])).toMatch(/method +eth_nothing\ncode +-32601 \(unserved\)/)
  expect(await cli.code(['eth', 'failures', 'mine', '--request', 'no-such-request'])).toBe(5)
  await cli.golden('eth limits show')
  expect(await cli.code(['eth', 'limits', 'grant', platform.demo.userId, '--per-second', '1000'])).toBe(4)
  await cli.golden('eth projects rotate', 'mine', '--grace', '1h', '--yes')
  expect(await cli.code(['eth', 'projects', 'rm', 'mine'])).toBe(2)
  expect(await cli.code(['eth', 'projects', 'rm', 'mine', '--yes'])).toBe(0)
  expect(await cli.code(['eth', 'projects', 'rm', 'mine', '--yes'])).toBe(5)
})
