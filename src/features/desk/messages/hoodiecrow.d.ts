/** The parts of the IMAP server for tests that they use. */
declare module 'hoodiecrow-imap' {
  type Stored = { raw: string; uid: number; flags: string[]; internaldate: string };
  type Folder = { messages: Stored[] };
  type ImapServer = {
    server: { address(): { port: number } };
    listen(port: number, host: string, ready: () => void): void;
    close(done: () => void): void;
    getMailbox(path: string): Folder | undefined;
    appendMessage(path: string, flags: string[], date: Date | undefined, raw: string): void;
  };
  export default function hoodiecrow(options: {
    plugins: string[];
    storage: Record<string, object>;
  }): ImapServer;
}
