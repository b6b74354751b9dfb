import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeRpcError } from '../chains/node-rpc.js'
import { addActivity, TOKEN_ADDRESS } from './activity.js'
import { findAnvil, type RunningAnvil, startAnvil } from './anvil.js'
import { transferOf } from './token.js'

describe.each(['cancun', 'berlin'])('the token, by the rules of %s', (hardfork) => {
  let dir: string
  let anvil: RunningAnvil
  let bank: string
  let somebody: string

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'token-'))
    anvil = await startAnvil({ command: findAnvil(), dir, chainId: 61, hardfork })
    const accounts = await anvil.rpc.call<string[]>('eth_accounts')
    bank = accounts.at(-1) ?? ''
    somebody = accounts[0] ?? ''
    await addActivity(anvil.rpc)
    await anvil.rpc.call('evm_mine')
  })
  afterAll(async () => {
    await anvil.stop()
    rmSync(dir, { recursive: true })
  })

  it('is where it is said to be, with a name and all of it in one hand', async () => {
    expect(await ask('0x95d89b41')).toContain(Buffer.from('DEMO').toString('hex'))
    expect(await ask('0x06fdde03')).toContain(Buffer.from('Demo Token').toString('hex'))
    expect(BigInt(await ask('0x313ce567'))).toBe(18n)
    expect(await balanceOf(bank)).toBe(10n ** 24n)
    expect(BigInt(await ask('0x18160ddd'))).toBe(10n ** 24n)
  })

  it('goes from one to another, with a log', async () => {
    const gasPrice = await anvil.rpc.call<string>('eth_gasPrice')
    const data = transferOf(somebody, 5n)
    const hash = await anvil.rpc.call('eth_sendTransaction', { from: bank, to: TOKEN_ADDRESS, data, gas: '0x186a0', gasPrice })
    await anvil.rpc.call('evm_mine')
    const receipt = await anvil.rpc.call<{ logs: { topics: string[]; data: string }[] }>('eth_getTransactionReceipt', hash)
    const [log] = receipt.logs
    expect(log?.topics.slice(1).map((topic) => `0x${topic.slice(26)}`)).toEqual([bank, somebody])
    expect(BigInt(log?.data ?? 0)).toBe(5n)
    expect([await balanceOf(somebody), await balanceOf(bank)]).toEqual([5n, 10n ** 24n - 5n])
  })

  it('says why it refuses', async () => {
    const call = { from: somebody, to: TOKEN_ADDRESS, data: transferOf(bank, 6n) }
    await expect(anvil.rpc.call('eth_call', call, 'latest')).rejects.toThrow(
      new NodeRpcError('eth_call', 'execution reverted: insufficient balance', 3),
    )
    await expect(ask('0xdeadbeef')).rejects.toThrow('execution reverted')
  })

  function ask(data: string): Promise<string> {
    return anvil.rpc.call('eth_call', { to: TOKEN_ADDRESS, data }, 'latest')
  }

  async function balanceOf(address: string): Promise<bigint> {
    return BigInt(await ask(`0x70a08231${address.slice(2).padStart(64, '0')}`))
  }
})
