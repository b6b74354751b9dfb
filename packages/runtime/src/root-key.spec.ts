import { RootKey, TrustRoots } from './root-key.js'

// RFC 8032 section 7.1, tests 1 and 2.
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
const OTHER_SEED = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'
const OTHER_SIGNATURE =
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00'

const key = new RootKey(base64(SEED))
const other = new RootKey(base64(OTHER_SEED))
const DATA = Buffer.from('what accounts says')

describe(RootKey, () => {
  it('has the public half that RFC 8032 gives', () => {
    expect(key.root).toBe(base64(PUBLIC))
  })

  it('signs as RFC 8032 does', () => {
    expect(Buffer.from(other.sign(Buffer.from('72', 'hex')), 'base64url').toString('hex')).toBe(OTHER_SIGNATURE)
  })
})

describe(TrustRoots, () => {
  it('accepts what any of its roots signed, and nothing else', () => {
    expect(new TrustRoots([key.root]).verify(DATA, key.sign(DATA))).toBe(true)
    expect(new TrustRoots([key.root]).verify(DATA, other.sign(DATA))).toBe(false)
    expect(new TrustRoots([other.root, key.root]).verify(DATA, key.sign(DATA))).toBe(true)
    expect(new TrustRoots([]).verify(DATA, key.sign(DATA))).toBe(false)
  })

  it.each(['', 'x', 'A'.repeat(86), '%'])('refuses the signature %j', (signature) => {
    expect(new TrustRoots([key.root]).verify(DATA, signature)).toBe(false)
  })

  it('refuses data that was changed', () => {
    expect(new TrustRoots([key.root]).verify(Buffer.from('what accounts said'), key.sign(DATA))).toBe(false)
  })
})

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}
