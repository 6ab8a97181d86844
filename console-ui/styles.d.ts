/** Style sheets are imported for their effect; the build puts them where the page finds them. */
declare module '*.css';
