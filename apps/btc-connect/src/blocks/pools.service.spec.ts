import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { PoolsService } from './pools.service.js'

const RULES = chainRules('btc', 'mainnet')
const coinbase = { coinbase: Buffer.from('/AntPool/'), payoutScript: Buffer.alloc(0) }

describe(PoolsService, () => {
  it('puts the names of the operator before its own', async () => {
    const pools = new PoolsService(
      { POOLS_FILE: fileWith('[{"name":"Ours","tags":["AntPool"],"link":"https://ours.example","id":1}]') },
      RULES,
    )
    expect(pools.find(coinbase).poolName).toBe('AntPool')
    await pools.onModuleInit()
    expect(pools.find(coinbase)).toEqual({ poolName: 'Ours', url: 'https://ours.example' })
  })

  it.each(['{', '{}', '[{"tags":["x"]}]', '[{"name":"x","tags":[""]}]', '[null]'])(
    'keeps the service from starting with %s',
    async (text) => {
      await expect(new PoolsService({ POOLS_FILE: fileWith(text) }, RULES).onModuleInit()).rejects.toThrow(/^POOLS_FILE cannot be used: /)
    },
  )

  it('prevents the start without the file', async () => {
    await expect(new PoolsService({ POOLS_FILE: '/nowhere/pools.json' }, RULES).onModuleInit()).rejects.toThrow(
      /^POOLS_FILE cannot be used: /,
    )
  })
})

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'pools-')), 'pools.json')
  writeFileSync(path, text)
  return path
}
