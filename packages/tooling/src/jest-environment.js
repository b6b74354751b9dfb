import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

// Jest compiles every module again for each test file. What V8 made of a source the first time serves the later files of a worker.
const compiled = { modules: new Map(), functions: new Map() }
const { SourceTextModule, compileFunction } = vm

vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const cachedData = compiled.modules.get(source)
    super(source, { ...options, cachedData })
    if (!cachedData) compiled.modules.set(source, this.createCachedData())
  }
}

vm.compileFunction = (source, parameters, options) => {
  const cachedData = compiled.functions.get(source)
  const compiledNow = compileFunction(source, parameters, { ...options, cachedData, produceCachedData: !cachedData })
  if (!cachedData) compiled.functions.set(source, compiledNow.cachedData)
  return compiledNow
}

export default TestEnvironment
