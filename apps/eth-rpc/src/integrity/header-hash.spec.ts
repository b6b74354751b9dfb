import { CHAINS } from '@trestle/contracts/chains/chains'
import { REAL_HEADERS } from '../../test/real-headers.js'
import { headerHash } from './header-hash.js'

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
// Of Ethereum's main network.
const GENESIS = {
  parentHash: `0x${'0'.repeat(64)}`,
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'0'.repeat(40)}`,
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: `0x${'0'.repeat(64)}`,
  nonce: '0x0000000000000042',
}

describe(headerHash, () => {
  it('is that of the genesis block', () => {
    expect(headerHash(GENESIS)).toBe('0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')
  })

  it('does not depend on what is not of the header', () => {
    expect(headerHash({ ...GENESIS, hash: '0x', size: '0x1', uncles: [], transactions: ['0x'], totalDifficulty: '0x1' })).toBe(
      headerHash(GENESIS),
    )
  })

  // As their nodes show them.
  it.each(Object.entries(REAL_HEADERS))('fits a block of %s where its record says that it does', (name, header) => {
    const rule = CHAINS.flatMap((chain) => (chain.name === name && chain.family === 'evm' ? chain.headerHash : []))
    expect(rule).toEqual([headerHash(header) === header.hash ? 'ethereum' : 'own'])
  })

  it.each(['number', 'timestamp', 'stateRoot', 'receiptsRoot', 'logsBloom', 'extraData', 'mixHash'])(
    'of Arbitrum depends on its %s',
    (name) => {
      expect(headerHash({ ...REAL_HEADERS.arbitrum, [name]: `${REAL_HEADERS.arbitrum.parentHash}01` })).not.toBe(REAL_HEADERS.arbitrum.hash)
    },
  )

  it.each([
    ['a field is missing', { ...GENESIS, mixHash: undefined }],
    ['a field is unknown, as after a fork to come', { ...GENESIS, slotNumber: '0x1' }],
    ['a field is no hexadecimal', { ...GENESIS, nonce: 66 }],
  ])('is unknown where %s', (_, header) => {
    expect(headerHash(header)).toBeUndefined()
  })
})
