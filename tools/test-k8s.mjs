// npm run test:k8s: what the driver for Kubernetes does, against a real kube-apiserver and kube-controller-manager, and a kubelet that only
// says so. The first time they are built from Debian's source package: some five minutes of two cores, and 2 GB of the disk meanwhile.
// --unless-passed: only where the driver is not the one that it last passed with.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { controlPlanePrograms, VERSION } from './kubernetes/programs.mjs'
import { digestOf, isTested, noteTested, TESTED } from './kubernetes/tested.mjs'
import { root, run, step } from './progress.mjs'

const dir = join(root, '.data/kubernetes')

if (process.argv.includes('--unless-passed') && isTested(root)) {
  console.log('The driver for Kubernetes is the one that npm run test:k8s last passed with: it is not run again.')
  process.exit()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => process.exit(1))
try {
  const digest = digestOf(root, TESTED)
  await run('Building', ['turbo', 'run', 'build', '--filter=@trestle/devnet...', '--ui=stream', '--output-logs=new-only'], { log: 'build' })
  const programs = await controlPlanePrograms()
  rmSync(dir, { recursive: true, force: true })
  const { startControlPlane } = await import('./kubernetes/control-plane.mjs')
  const plane = await step(`Starting the control plane of Kubernetes ${VERSION}`, () => startControlPlane(programs, dir))
  const env = { ...process.env, CONTROL_PLANE: JSON.stringify(plane.access) }
  // One file at a time: each looks for what is left over.
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
  const suite = ['node', ...jest, '--config', 'apps/nodes/jest.config.js', '--runInBand', '--verbose', 'test/kubernetes']
  await run('Testing the driver', suite, { log: 'test-k8s', env }).finally(() => plane.stop())
  noteTested(root, digest)
  console.log(`\nThe driver does on Kubernetes ${VERSION} what it does on the fake. Every test is in .data/logs/test-k8s.log.`)
  process.exit()
} catch (error) {
  console.error(`\n${error.message}\n\nThe logs of the control plane are in ${dir}.`)
  process.exit(1)
}
