import { execFileSync } from 'node:child_process'
import { parseAllDocuments } from 'yaml'
import { root } from './repository.js'

// biome-ignore lint/suspicious/noExplicitAny: rendered YAML; its shape is what the tests check.
export type Document = { kind: string; metadata: any; spec: any; data?: Record<string, string> }

const canRender = works('kubectl', ['version', '--client'])

/** For tests of the output of `kubectl kustomize`. */
export const describeRendered = canRender ? describe : describe.skip

export function renderedOverlay(overlay: string): Document[] {
  return renderedFolder(`deploy/kubernetes/overlays/${overlay}`)
}

/** Nothing where it cannot be rendered. */
export function renderedFolder(path: string): Document[] {
  if (!canRender) return []
  return documentsOf(execFileSync('kubectl', ['kustomize', root + path], { encoding: 'utf8' }))
}

export function documentsOf(text: string): Document[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as Document)
  // kubectl folds long base64, and Kubernetes reads it so; the model does not.
  for (const { kind, data = {} } of documents)
    if (kind === 'Secret') for (const name of Object.keys(data)) data[name] = String(data[name]).replace(/\n/g, '')
  return documents
}

function works(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
