import { parseSync } from '@swc/core'

/** One source file, parsed: its exported names, its imports, its functions and what the measures count. */
export function parseSource(path, text) {
  const tree = parseSync(text, { syntax: 'typescript', tsx: path.endsWith('.tsx'), decorators: true })
  const bytes = Buffer.from(text)
  const source = {
    path,
    lines: lineCount(text),
    text,
    exports: [],
    classes: [],
    imports: [],
    functions: [],
    casts: 0,
    blindCasts: 0,
    anys: 0,
    bangs: 0,
    impure: [],
  }
  // Spans of swc are offsets in bytes, from 1.
  const lineOf = (offset) => newlinesBefore(bytes, offset - 1) + 1
  for (const item of tree.body) MODULE_ITEMS[item.type]?.(item, source)
  walk(tree, (node) => readNode(node, source, lineOf))
  return source
}

function walk(node, visit) {
  if (node === null || typeof node !== 'object') return
  if (typeof node.type === 'string') visit(node)
  for (const value of Object.values(node)) walk(value, visit)
}

const MODULE_ITEMS = {
  ExportDeclaration({ declaration }, { exports, classes }) {
    exports.push(...declaredNames(declaration))
    if (declaration.type === 'ClassDeclaration') classes.push(declaration.identifier.value)
  },
  ExportNamedDeclaration({ specifiers, source }, { exports, imports }) {
    for (const { orig, exported } of specifiers) {
      if (source) imports.push({ from: source.value, name: orig?.value ?? '*' })
      else exports.push((exported ?? orig).value)
    }
  },
  ExportAllDeclaration({ source }, { imports }) {
    imports.push({ from: source.value, name: '*' })
  },
  ImportDeclaration({ specifiers, source: { value: from }, typeOnly }, { imports }) {
    if (specifiers.length === 0) imports.push({ from })
    for (const specifier of specifiers) imports.push({ from, name: importedName(specifier), isType: typeOnly || specifier.isTypeOnly })
  },
}

function importedName({ type, local, imported }) {
  if (type === 'ImportNamespaceSpecifier') return '*'
  return type === 'ImportDefaultSpecifier' ? 'default' : (imported ?? local).value
}

function declaredNames(declaration) {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => boundNames(id))
  // An interface or module has `id`, a function or class `identifier`.
  return [(declaration.identifier ?? declaration.id).value]
}

function boundNames(pattern) {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.value]
    case 'ArrayPattern':
      return pattern.elements.filter(Boolean).flatMap(boundNames)
    case 'ObjectPattern':
      return pattern.properties.flatMap(({ type, key, value, argument }) =>
        boundNames(type === 'KeyValuePatternProperty' ? value : (argument ?? key)),
      )
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    case 'RestElement':
      return boundNames(pattern.argument)
    default:
      return []
  }
}

const NODES = {
  TsAsExpression({ typeAnnotation }, source) {
    source.casts++
    if (isKeyword(typeAnnotation, 'never') || isKeyword(typeAnnotation, 'unknown')) source.blindCasts++
  },
  TsNonNullExpression(_, source) {
    source.bangs++
  },
  TsKeywordType({ kind }, source) {
    if (kind === 'any') source.anys++
  },
  CallExpression({ callee, arguments: given }, { imports, impure }, line) {
    if (callee.type === 'Import') imports.push({ from: given[0]?.expression.value ?? '', name: '*' })
    const name = callee.type === 'MemberExpression' ? `${callee.object.value}.${callee.property.value}` : callee.value
    if (IMPURE_CALLS.has(name)) impure.push({ line: line(), what: name })
  },
  NewExpression({ callee, arguments: given }, { impure }, line) {
    if (callee.value === 'Date' && !given?.length) impure.push({ line: line(), what: 'new Date()' })
  },
  AwaitExpression(_, { impure }, line) {
    impure.push({ line: line(), what: 'await' })
  },
  MemberExpression({ object, property }, { impure }, line) {
    if (object.value === 'process') impure.push({ line: line(), what: `process.${property.value}` })
  },
}

function readNode(node, source, lineOf) {
  NODES[node.type]?.(node, source, () => lineOf(node.span.start))
  const body = bodyOf(node)
  if (body) readFunction(node, body, source, lineOf)
}

const IMPURE_CALLS = new Set([
  'Date.now',
  'performance.now',
  'process.hrtime',
  'Math.random',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'randomUUID',
  'randomBytes',
  'randomInt',
  'fetch',
])

/** The body of a function that has statements, of any kind; undefined for all else. */
function bodyOf(node) {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'MethodProperty':
    case 'GetterProperty':
    case 'SetterProperty':
    case 'Constructor':
      return node.body ?? undefined
    case 'ClassMethod':
    case 'PrivateMethod':
      return node.function.body ?? undefined
    case 'ArrowFunctionExpression':
      return node.body.stmts && node.body
  }
}

function readFunction(node, body, source, lineOf) {
  const params = paramsOf(node)
  const first = lineOf(node.span.start)
  source.functions.push({
    line: first,
    lines: lineOf(node.span.end - 1) - first + 1,
    params: params.length,
    isConstructor: node.type === 'Constructor',
    onlyForwards: params.length > 0 && forwards(body, params.map(nameOf)),
  })
}

function paramsOf(node) {
  return node.params ?? node.function?.params ?? (node.param ? [node.param] : [])
}

function nameOf(param) {
  const pattern = param.pat ?? param.param ?? param
  return (pattern.left ?? pattern).value
}

/** Whether a function does nothing but hand its parameters, all and in order, to another. */
function forwards({ stmts }, params) {
  if (stmts?.length !== 1) return false
  const [statement] = stmts
  const expression = statement.argument ?? statement.expression
  const call = expression?.type === 'AwaitExpression' ? expression.argument : expression
  if (call?.type !== 'CallExpression') return false
  const given = call.arguments.map(({ expression: argument }) => argument.value)
  return given.length === params.length && given.every((name, i) => name !== undefined && name === params[i])
}

function isKeyword(annotation, kind) {
  return annotation.type === 'TsKeywordType' && annotation.kind === kind
}

function newlinesBefore(bytes, end) {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) count++
  return count
}

function lineCount(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
