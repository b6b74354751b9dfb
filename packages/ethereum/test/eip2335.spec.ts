import { parseHex } from '../src/hex.js'
import { formatKeystore, parseKeystore, passwordBytes } from '../src/keystore.js'
import { decryptKeystore } from '../src/keystore-cipher.engine.js'
import { readVectors } from './vectors.js'

interface Vectors {
  password: string
  passwordBytes: string
  secret: string
  keystores: { path: string }[]
}

const { password, secret, keystores, ...expected } = readVectors<Vectors>('eip2335')

describe('EIP-2335', () => {
  it('writes the password so', () => {
    expect(passwordBytes(password)).toEqual(parseHex(expected.passwordBytes))
  })

  it.each(keystores)('opens the keystore $path, and writes it as it was', async (json) => {
    const keystore = parseKeystore(json)
    expect(formatKeystore(keystore)).toEqual(json)
    expect(await decryptKeystore(keystore, password)).toEqual(parseHex(secret))
    await expect(decryptKeystore(keystore, `${password}!`)).rejects.toThrow('The password does not decrypt this keystore.')
  })
})
