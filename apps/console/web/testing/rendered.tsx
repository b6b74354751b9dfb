import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Outlet, Route, Routes } from 'react-router'

interface Surroundings {
  /** The address of the page, and the route that reads it. */
  at?: string
  route?: string
  /** What the page around it hands down, such as the chain. */
  context?: unknown
  /** What queries have answered, by their keys. */
  answers?: readonly (readonly [key: readonly unknown[], data: unknown])[]
  /** Queries that failed, by their keys. */
  failures?: readonly (readonly [key: readonly unknown[], error: Error])[]
}

/** A component as the browser first draws it, with these answers at hand. Tests ask for what a person sees: text, names, what is disabled. */
export function rendered(element: ReactNode, { at = '/', route = '*', context, answers = [], failures = [] }: Surroundings = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  for (const [key, data] of answers) client.setQueryData(key, data)
  for (const [queryKey, error] of failures) client.getQueryCache().build(client, { queryKey }).setState({ status: 'error', error })
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[at]}>
      <MantineProvider>
        <QueryClientProvider client={client}>
          <Routes>
            <Route element={<Outlet context={context} />}>
              <Route path={route} element={element} />
            </Route>
          </Routes>
        </QueryClientProvider>
      </MantineProvider>
    </MemoryRouter>,
  ).replace(/<style[^>]*>.*?<\/style>/gs, '')
  return {
    html,
    /** What can be read, without markup. */
    text: textOf(html),
    /** The texts of all elements of a kind. */
    all: (tag: string) => elements(html, tag).map(({ content }) => textOf(content)),
    /** Where links lead, by what they say. */
    links: Object.fromEntries(elements(html, 'a').map(({ attributes, content }) => [textOf(content), attribute(attributes, 'href')])),
    /** Whether a button may be pressed; undefined where there is no such button. */
    isEnabled(name: string): boolean | undefined {
      const button = elements(html, 'button').find((each) => nameOf(each) === name)
      return button && !/\s(disabled=""|data-disabled="true")/.test(button.attributes)
    },
    /** The rows of the first table, cell by cell. */
    rows: elements(html, 'tr').map(({ content }) =>
      [...elements(content, 'th'), ...elements(content, 'td')].map((cell) => textOf(cell.content)),
    ),
    /** Attributes of the input with this label. */
    input(label: string): string | undefined {
      const labels = elements(html, 'label').find(({ content }) => textOf(content).replace(/ \*$/, '') === label)
      const id = labels && attribute(labels.attributes, 'for')
      return id ? new RegExp(`<(?:input|textarea|select)[^>]*id="${id}"[^>]*>`).exec(html)?.[0] : undefined
    },
    has: (pattern: RegExp | string) => (typeof pattern === 'string' ? html.includes(pattern) : pattern.test(html)),
  }
}

interface Element {
  readonly attributes: string
  readonly content: string
}

function elements(html: string, tag: string): Element[] {
  return [...html.matchAll(new RegExp(`<${tag}((?:\\s[^>]*)?)>(.*?)</${tag}>`, 'gs'))].map(([, attributes = '', content = '']) => ({
    attributes,
    content,
  }))
}

function nameOf({ attributes, content }: Element): string {
  return attribute(attributes, 'aria-label') ?? textOf(content)
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

function textOf(html: string): string {
  return unescaped(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

function unescaped(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => names[name] ?? '')
}
