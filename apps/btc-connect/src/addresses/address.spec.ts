import { chainRules } from '@trestle/bitcoin/chain-rules'
import { balanceOf, parseAddresses, parseNamedAddress, toAddress } from './address.js'

const BTC = chainRules('btc', 'mainnet')
const BCH = chainRules('bch', 'mainnet')
const LEGACY = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'
const CASH = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

describe(parseNamedAddress, () => {
  it('keeps the spelling', () => {
    expect(parseNamedAddress(SEGWIT.toUpperCase(), BTC)).toEqual({
      address: SEGWIT.toUpperCase(),
      script: Buffer.from('0014751e76e8199196d454941c45d1b3a323f1433bd6', 'hex'),
    })
  })

  it('refuses in the words of Insight', () => {
    const refusal = { code: 'InvalidAddress', status: 400, detail: 'Invalid address: Checksum mismatch. Code:1' }
    expect(() => parseNamedAddress('1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggv', BTC)).toThrow(expect.objectContaining(refusal))
    expect(() => parseNamedAddress(CASH, BTC)).toThrow(expect.objectContaining({ code: 'InvalidAddress' }))
  })
})

describe(parseAddresses, () => {
  it('lists each script once, with its first spelling', () => {
    expect(parseAddresses([CASH, LEGACY, CASH.slice('bitcoincash:'.length)], BCH)).toMatchObject([{ address: CASH }])
    expect(parseAddresses(`${LEGACY}, ${CASH.toUpperCase()},`, BCH)).toMatchObject([{ address: LEGACY }])
  })

  it.each([undefined, '', ' ,', []])('requires at least one: %j', (given) => {
    expect(() => parseAddresses(given, BTC)).toThrow(
      expect.objectContaining({ code: 'MissingAddress', detail: 'Must include address. Code:1' }),
    )
  })

  it('counts addresses before it parses them', () => {
    const given = Array.from({ length: 1001 }, () => 'bad')
    expect(() => parseAddresses(given, BTC)).toThrow(
      expect.objectContaining({ code: 'TooManyAddresses', detail: 'Maximum number of addresses (1000) exceeded' }),
    )
  })
})

describe(toAddress, () => {
  const figures = { received: 2n ** 60n, sent: 1n, txCount: 2, unconfirmed: -1n, unconfirmedTxCount: 1 }

  it('has received minus sent as the balance, without the mempool', () => {
    expect(balanceOf(figures)).toBe(2n ** 60n - 1n)
    expect(JSON.stringify(toAddress(LEGACY, figures))).toBe(
      `{"addrStr":"${LEGACY}","balance":11529215046.06846975,"balanceSat":1152921504606846975,"totalReceived":11529215046.06846976,` +
        '"totalReceivedSat":1152921504606846976,"totalSent":0.00000001,"totalSentSat":1,"unconfirmedBalance":-0.00000001,' +
        '"unconfirmedBalanceSat":-1,"unconfirmedTxApperances":1,"txApperances":2}',
    )
  })
})
