// kube-apiserver and kube-controller-manager, built from Debian's source package, which is whole: nothing else is downloaded. Once, in some
// five minutes of two cores; kept outside the repository.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cached, downloadSource, unpackPackages } from '../debian.mjs'
import { run } from '../progress.mjs'

export const VERSION = '1.20.2'
const SUITE = 'bookworm'
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager']
// The newest Go that compiles it, of the same suite.
const GO = '1.19'
// What its build calls that a machine may lack, with the libraries of theirs that it may lack too.
const TOOLS = ['rsync', 'libpopt0', 'libxxhash0', 'jq', 'libjq1', 'libonig5']
// What the build would ask git for.
const GIT_VERSION = `KUBE_GIT_COMMIT=faecb196815e248d3ecfb03c680a4507229c2a56
KUBE_GIT_TREE_STATE=clean
KUBE_GIT_VERSION=v${VERSION}
KUBE_GIT_MAJOR=1
KUBE_GIT_MINOR=20
`

/** The folder of the programs: etcd among them. */
export function controlPlanePrograms() {
  return cached(`kubernetes-${VERSION}`, async (folder) => {
    const build = join(folder, 'build')
    mkdirSync(build)
    await unpackPackages(build, { suite: SUITE, packages: ['etcd-server', `golang-${GO}-go`, `golang-${GO}-src`, ...TOOLS] })
    const source = await downloadSource(build, { suite: SUITE, source: 'kubernetes' })
    execFileSync('tar', ['xf', source, '-C', build])
    await compile(join(build, `kubernetes-${VERSION}`), build)
    cpSync(join(build, 'usr/bin/etcd'), join(folder, 'etcd'))
    rmSync(build, { recursive: true })
  })
}

async function compile(source, build) {
  const versionFile = join(build, 'version')
  writeFileSync(versionFile, GIT_VERSION)
  const home = join(build, 'home')
  const env = {
    ...process.env,
    PATH: [`usr/lib/go-${GO}/bin`, 'usr/bin']
      .map((each) => join(build, each))
      .concat(process.env.PATH)
      .join(':'),
    LD_LIBRARY_PATH: globSync('usr/lib/*-linux-gnu*', { cwd: build })
      .map((each) => join(build, each))
      .join(':'),
    HOME: home,
    TMPDIR: tmpdir(),
    GOPROXY: 'off',
    GOFLAGS: '-mod=vendor',
    CGO_ENABLED: '0',
    KUBE_GIT_VERSION_FILE: versionFile,
  }
  const make = ['make', '-C', source, 'all', `WHAT=${PROGRAMS.map((name) => `cmd/${name}`).join(' ')}`]
  await run(`Building ${PROGRAMS.join(' and ')} ${VERSION}`, make, { log: 'kubernetes-build', env, minutes: 60 })
  for (const name of PROGRAMS) cpSync(join(source, '_output/bin', name), join(build, '..', name), { dereference: true })
}
