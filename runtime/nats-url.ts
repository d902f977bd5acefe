/** Where NATS is, and as whom this process speaks to it. */
export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
}

/** Reads nats://user:password@host:port[,host:port]; tls:// for encryption. Undefined when a part of it is not a URL. */
export function parseNatsUrl(url: string): NatsAddress | undefined {
  try {
    return parse(url);
  } catch {
    // What a parser throws repeats the URL, and with it the password.
    return undefined;
  }
}

function parse(url: string): NatsAddress | undefined {
  const scheme = /^(nats|tls):\/\//.exec(url)?.[0];
  if (!scheme) return undefined;
  const urls = url.split(',').map((each) => (/^\w+:\/\//.test(each) ? each : scheme + each));
  const parsed = urls.map((each) => new URL(each));
  if (!parsed.every((each) => each.host !== '')) return undefined;
  const servers = parsed.map(({ host }) => (scheme === 'tls://' ? `${scheme}${host}` : host));
  const { username, password } = parsed[0] as URL;
  if (!username) return { servers };
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
