const { billOfMaterials, refusedLicenses, shippedPackages } = await import(
  new URL('../src/sbom/bill-of-materials.js', import.meta.url).href
)

const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`
const plain = { resolution: { integrity } }
const lockfile = {
  importers: {
    'apps/shop': {
      dependencies: { '@acme/web': { version: '1.0.0(peer@2.0.0)' }, own: { version: 'link:../../packages/own' } },
      devDependencies: { react: { version: '19.0.0' }, bundler: { version: '3.0.0' } },
    },
    'packages/own': { dependencies: { old: { version: 'renamed@0.9.0' } }, devDependencies: { bundler: { version: '3.0.0' } } },
  },
  packages: {
    '@acme/web@1.0.0': plain,
    'peer@2.0.0': plain,
    'renamed@0.9.0': plain,
    'react@19.0.0': plain,
    'native-linux@1.0.0': { ...plain, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'native-musl@1.0.0': { ...plain, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'native-mac@1.0.0': { ...plain, os: ['darwin'] },
  },
  snapshots: {
    '@acme/web@1.0.0(peer@2.0.0)': {
      dependencies: { peer: '2.0.0' },
      optionalDependencies: { 'native-linux': '1.0.0', 'native-musl': '1.0.0', 'native-mac': '1.0.0' },
    },
    // Two that need each other.
    'peer@2.0.0': { dependencies: { '@acme/web': '1.0.0(peer@2.0.0)' } },
    'renamed@0.9.0': {},
    'react@19.0.0': {},
    'native-linux@1.0.0': {},
    'native-musl@1.0.0': {},
    'native-mac@1.0.0': {},
  },
}
const platform = { os: 'linux', cpu: 'x64' }
const packages = shippedPackages(lockfile, 'apps/shop', { bundled: ['react'], platform })

describe('what an app ships', () => {
  it('is what it needs at run time on its platform, and what a bundler copies into it', () => {
    expect(packages.map(({ url }: { url: string }) => url).toSorted()).toEqual([
      'pkg:npm/%40acme/web@1.0.0',
      'pkg:npm/native-linux@1.0.0',
      'pkg:npm/peer@2.0.0',
      'pkg:npm/react@19.0.0',
      'pkg:npm/renamed@0.9.0',
      'workspace:apps/shop',
      'workspace:packages/own',
    ])
  })

  it('is a bill with licences, hashes and the needs of each', () => {
    const licenseOf = (name: string) => (name === 'react' ? undefined : 'MIT')
    const bill = billOfMaterials({ app: 'shop', packages, licenseOf, time: new Date(0), serialNumber: '0' })
    expect(bill.components.find(({ name }: { name: string }) => name === '@acme/web')).toMatchObject({
      version: '1.0.0',
      purl: 'pkg:npm/%40acme/web@1.0.0',
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
    })
    const references = new Set([bill.metadata.component, ...bill.components].map((one) => one['bom-ref']))
    for (const { ref, dependsOn } of bill.dependencies) expect([ref, ...dependsOn].filter((one) => !references.has(one))).toEqual([])
    expect(bill.dependencies[0]).toEqual({
      ref: 'workspace:apps/shop',
      dependsOn: ['pkg:npm/%40acme/web@1.0.0', 'pkg:npm/react@19.0.0', 'workspace:packages/own'],
    })
  })

  it.each([
    ['MIT', []],
    ['(MIT OR GPL-3.0-or-later)', []],
    ['MIT AND ISC', []],
    ['MIT AND GPL-3.0-only', ['react@19.0.0: MIT AND GPL-3.0-only']],
    ['AGPL-3.0-only', ['react@19.0.0: AGPL-3.0-only']],
    [undefined, ['react@19.0.0: no licence stated']],
  ])('is refused with the licence %s unless that is accepted', (license, refused) => {
    expect(refusedLicenses(packages, (name: string) => (name === 'react' ? license : 'MIT'))).toEqual(refused)
  })
})
