import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import preset from './jest-preset.js'

// Lets a process of its own run what is not built, as the tests do in theirs: `node -C ws-source --import <this>`.
const [swc, options] = preset('cluster').transform['^.+\\.ts$']
const { transformSync } = createRequire(swc)('@swc/core')

registerHooks({
  resolve(name, context, next) {
    try {
      return next(name, context)
    } catch (error) {
      if (!name.endsWith('.js')) throw error
      return next(`${name.slice(0, -2)}ts`, context)
    }
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context)
    const source = next(url, { ...context, format: 'module-typescript' }).source
    const { code } = transformSync(String(source), { ...options, filename: fileURLToPath(url) })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
