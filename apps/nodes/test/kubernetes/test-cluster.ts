import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workerFolder } from '@trestle/testing/worker-folder'
import { Pool } from 'undici'
import { parseAllDocuments } from 'yaml'
import type { KubernetesAccess } from '../../src/drivers/kubernetes/kubernetes.client.js'
import { Admin } from './admin.js'
import { FakeApiServer } from './fake-api-server.js'
import { FakeControllers } from './fake-controllers.js'
import { FakeKubelet } from './fake-kubelet.js'

const NAMESPACE = 'machines'
const RBAC = new URL('../../../../deploy/kubernetes/machines/rbac.yaml', import.meta.url)
const OF_RBAC = '/apis/rbac.authorization.k8s.io/v1'

export interface TestCluster {
  /** With exactly the rights of the Role in the deployed manifests. */
  readonly access: KubernetesAccess
  readonly admin: Admin
  readonly kubelet: FakeKubelet
  /** If it is a fake one. */
  readonly fake?: FakeApiServer
  readonly close: () => Promise<void>
}

/** The real control plane of CONTROL_PLANE (`npm run test:k8s`) or else a fake one, with a namespace, a Role and a storage class. */
export async function openCluster(): Promise<TestCluster> {
  const { access, admin, fake, certificate } = process.env.CONTROL_PLANE ? real(process.env.CONTROL_PLANE) : await faked()
  await admin.put('/api/v1/namespaces', { metadata: { name: NAMESPACE } })
  await admin.put('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'trestle.dev/none',
    allowVolumeExpansion: true,
    reclaimPolicy: 'Retain',
  })
  for (const document of parseAllDocuments(readFileSync(RBAC, 'utf8'))) {
    const object = document.toJS() as { kind: string; subjects?: unknown }
    const here = `${OF_RBAC}/namespaces/${NAMESPACE}/${object.kind === 'Role' ? 'roles' : 'rolebindings'}`
    if (object.kind === 'Role') await admin.put(here, object)
    if (object.kind === 'RoleBinding') await admin.put(here, { ...object, subjects: [{ kind: 'User', name: 'restricted' }] })
  }
  const kubelet = await FakeKubelet.start(admin, NAMESPACE, certificate)
  return {
    access: { ...access, namespace: NAMESPACE },
    admin,
    kubelet,
    fake,
    async close() {
      await kubelet.stop()
      await admin.close()
      fake?.stop()
    },
  }
}

function real(text: string) {
  const { url, tokenFile, caFile } = JSON.parse(text) as Omit<KubernetesAccess, 'namespace'>
  const ca = readFileSync(caFile)
  const admin = new Admin(new Pool(url, { connect: { ca } }), readFileSync(tokenFile, 'utf8'))
  const certificate = { cert: ca, key: readFileSync(caFile.replace(/crt$/, 'key')) }
  return { access: { url, caFile, tokenFile: join(dirname(tokenFile), 'restricted.token') }, admin, fake: undefined, certificate }
}

async function faked() {
  const fake = await FakeApiServer.start()
  new FakeControllers(fake.store, NAMESPACE)
  const tokenFile = join(mkdtempSync(join(workerFolder(), 'kubernetes-')), 'token')
  writeFileSync(tokenFile, 'restricted\n')
  return { access: { url: fake.url, tokenFile, caFile: '' }, admin: new Admin(new Pool(fake.url), 'admin'), fake, certificate: undefined }
}
